import { AppError } from '@cairn/contracts/errors'
import kafkajs from 'kafkajs'
import { systemClock } from '../../clock/system.ts'
import { createKafkaAdmin, type KafkaAdmin } from './admin.ts'
import type { KafkaConnection, KafkaLog } from './client.ts'

const { ConfigResourceTypes, ConfigSource } = kafkajs

/** The command that creates the topics. */
const makeTopicsCommand = 'npm run setup'

/**
 * The broker decompresses messages of other producers: a codec that the client lacks would stop every reader at that
 * message.
 */
const unpacked = { name: 'compression.type', value: 'uncompressed' }

const weekMs = 7 * 24 * 3_600_000

export type MakeKafkaTopicsOptions = {
  readonly connection: KafkaConnection
  /** The same as the bus's. */
  readonly prefix?: string
  readonly topics: readonly string[]
  /**
   * The number of members of a group that can share a topic's messages. Never lowered later; raising it moves keys to
   * other partitions.
   */
  readonly partitions: number
  /** Copies of each message, at most one per broker. */
  readonly replication: number
  /** A message is removed at this age, handled or not. Default: 7 days. */
  readonly retentionMs?: number
  /** Time limit of the whole job. Default: 60,000. */
  readonly timeoutMs?: number
  readonly log?: KafkaLog
}

const existing = (admin: KafkaAdmin) => admin.run((link) => link.listTopics()).then((names) => new Set(names))

/** Throws AppError `unavailable` that names every missing topic and the command that creates it. */
export const requireKafkaTopics = async (admin: KafkaAdmin, names: readonly string[]): Promise<void> => {
  const there = await existing(admin)
  const missing = names.filter((name) => !there.has(name))
  if (missing.length === 0) return
  throw new AppError(
    'unavailable',
    `Kafka has no topic ${missing.join(', ')}: \`${makeTopicsCommand}\` makes what is missing`,
  )
}

/**
 * Repairs the compression setting of existing topics, which readers depend on. The request replaces all settings of a
 * topic, so it repeats the others.
 */
const unpack = async (admin: KafkaAdmin, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  const asked = names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name }))
  const { resources } = await admin.run((link) => link.describeConfigs({ includeSynonyms: false, resources: asked }))
  const packed = resources.flatMap(({ resourceName: name, configEntries: found }) => {
    const own = found.filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG)
    if (own.some((entry) => entry.configName === unpacked.name && entry.configValue === unpacked.value)) return []
    const kept = own.flatMap(({ configName, configValue }) =>
      configName === unpacked.name ? [] : { name: configName, value: configValue },
    )
    return { type: ConfigResourceTypes.TOPIC, name, configEntries: [...kept, unpacked] }
  })
  if (packed.length > 0) await admin.run((link) => link.alterConfigs({ validateOnly: false, resources: packed }))
}

/** Returns a sentence for each topic with too few partitions or copies. */
const shortcomings = async (admin: KafkaAdmin, names: readonly string[], partitions: number, replication: number) => {
  const { topics } = await admin.run((link) => link.fetchTopicMetadata({ topics: [...names] }))
  return topics.flatMap(({ name, partitions: found }) => {
    const copies = Math.min(...found.map(({ replicas }) => replicas.length))
    return [
      ...(found.length < partitions ? [`${name} has ${found.length} partitions, ${partitions} are wanted`] : []),
      ...(copies < replication ? [`${name} has ${copies} copies of a message, ${replication} are wanted`] : []),
    ]
  })
}

/**
 * Creates the missing topics; may run any number of times, also concurrently. An existing one with fewer partitions or
 * copies than requested is left unchanged and reported as AppError `conflict`: more partitions would move keys away
 * from earlier messages, more copies are a reassignment, and the operator decides on both.
 */
export const makeKafkaTopics = async (
  options: MakeKafkaTopicsOptions,
): Promise<{ readonly made: readonly string[] }> => {
  const {
    connection,
    prefix = '',
    topics,
    partitions,
    replication,
    retentionMs = weekMs,
    timeoutMs = 60_000,
    log,
  } = options
  const names = topics.map((topic) => prefix + topic)
  const admin = createKafkaAdmin({ connection, log, clock: systemClock(), timeoutMs })
  const config = {
    'cleanup.policy': 'delete',
    'retention.ms': String(retentionMs),
    // With a spare copy, `acks=-1` means at least two of them, and one broker may be down.
    'min.insync.replicas': String(Math.max(1, replication - 1)),
    // The age of the oldest message is looked up by time: one clock for all publishers keeps a partition's times in order.
    'message.timestamp.type': 'LogAppendTime',
    [unpacked.name]: unpacked.value,
  }
  try {
    const there = await existing(admin)
    const missing = names.filter((name) => !there.has(name))
    if (missing.length > 0) {
      const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }))
      const wanted = missing.map((topic) => ({
        topic,
        numPartitions: partitions,
        replicationFactor: replication,
        configEntries,
      }))
      await admin.run((link) => link.createTopics({ topics: wanted, timeout: timeoutMs, waitForLeaders: true }))
    }
    await unpack(
      admin,
      names.filter((name) => there.has(name)),
    )
    const short = await shortcomings(admin, names, partitions, replication)
    if (short.length > 0) throw new AppError('conflict', `Kafka's topics are not as configured: ${short.join('; ')}`)
    return { made: missing }
  } finally {
    await admin.close()
  }
}
