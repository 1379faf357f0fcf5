import { AppError } from '@cairn/contracts/errors'
import kafkajs from 'kafkajs'
import { systemClock } from '../../clock/system.ts'
import { createKafkaAdmin, type KafkaAdmin } from './admin.ts'
import type { KafkaConnection } from './client.ts'

const { ConfigResourceTypes, ConfigSource } = kafkajs

const createTopicsCommand = 'npm run setup'

/** The broker decompresses messages of other producers: a codec that the client lacks would stop every reader there. */
const uncompressed = { name: 'compression.type', value: 'uncompressed' }

/** Messages are removed after 7 days, handled or not. */
const retentionMs = 7 * 24 * 3_600_000
/** For each request. */
const timeoutMs = 60_000

export type CreateKafkaTopicsOptions = {
  readonly connection: KafkaConnection
  readonly prefix?: string
  readonly topics: readonly string[]
  /**
   * The maximum number of group members that share a topic's messages. Can't be lowered later; raising it moves keys to
   * other partitions.
   */
  readonly partitions: number
  /** Copies of each message, at most one per broker. */
  readonly replication: number
}

const listTopics = (admin: KafkaAdmin) => admin.run((link) => link.listTopics()).then((names) => new Set(names))

/** AppError `unavailable` names the missing topics and the command that creates them. */
export const requireKafkaTopics = async (admin: KafkaAdmin, names: readonly string[]): Promise<void> => {
  const existing = await listTopics(admin)
  const missing = names.filter((name) => !existing.has(name))
  if (missing.length === 0) return
  throw new AppError(
    'unavailable',
    `Kafka has no topic ${missing.join(', ')}: \`${createTopicsCommand}\` creates the missing topics`,
  )
}

/** Readers depend on it. The request replaces all settings of a topic, so it repeats the others. */
const repairCompression = async (admin: KafkaAdmin, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  const requested = names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name }))
  const { resources } = await admin.run((link) =>
    link.describeConfigs({ includeSynonyms: false, resources: requested }),
  )
  const repaired = resources.flatMap(({ resourceName: name, configEntries: found }) => {
    const own = found.filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG)
    if (own.some((entry) => entry.configName === uncompressed.name && entry.configValue === uncompressed.value))
      return []
    const kept = own.flatMap(({ configName, configValue }) =>
      configName === uncompressed.name ? [] : { name: configName, value: configValue },
    )
    return { type: ConfigResourceTypes.TOPIC, name, configEntries: [...kept, uncompressed] }
  })
  if (repaired.length > 0) await admin.run((link) => link.alterConfigs({ validateOnly: false, resources: repaired }))
}

const findShortcomings = async (
  admin: KafkaAdmin,
  names: readonly string[],
  partitions: number,
  replication: number,
) => {
  const { topics } = await admin.run((link) => link.fetchTopicMetadata({ topics: [...names] }))
  return topics.flatMap(({ name, partitions: found }) => {
    const copies = Math.min(...found.map(({ replicas }) => replicas.length))
    return [
      ...(found.length < partitions ? [`${name} has ${found.length} partitions, ${partitions} are required`] : []),
      ...(copies < replication ? [`${name} has ${copies} copies of a message, ${replication} are required`] : []),
    ]
  })
}

/**
 * May run any number of times, also concurrently. An existing topic with fewer partitions or copies stays, and is
 * AppError `conflict`: more partitions would move keys away from earlier messages, more copies are a reassignment, and
 * the operator decides on both.
 */
export const createKafkaTopics = async (
  options: CreateKafkaTopicsOptions,
): Promise<{ readonly created: readonly string[] }> => {
  const { connection, prefix = '', topics, partitions, replication } = options
  const names = topics.map((topic) => prefix + topic)
  const admin = createKafkaAdmin({ connection, log: undefined, clock: systemClock(), timeoutMs })
  const config = {
    'cleanup.policy': 'delete',
    'retention.ms': String(retentionMs),
    // With a spare copy, `acks=-1` requires at least two copies, and one broker may be down.
    'min.insync.replicas': String(Math.max(1, replication - 1)),
    // The oldest message is looked up by time. The broker's clock keeps the times of all publishers in order.
    'message.timestamp.type': 'LogAppendTime',
    [uncompressed.name]: uncompressed.value,
  }
  try {
    const existing = await listTopics(admin)
    const missing = names.filter((name) => !existing.has(name))
    if (missing.length > 0) {
      const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }))
      const configs = missing.map((topic) => ({
        topic,
        numPartitions: partitions,
        replicationFactor: replication,
        configEntries,
      }))
      await admin.run((link) => link.createTopics({ topics: configs, timeout: timeoutMs, waitForLeaders: true }))
    }
    await repairCompression(
      admin,
      names.filter((name) => existing.has(name)),
    )
    const shortcomings = await findShortcomings(admin, names, partitions, replication)
    if (shortcomings.length > 0)
      throw new AppError('conflict', `Kafka's topics are not as configured: ${shortcomings.join('; ')}`)
    return { created: missing }
  } finally {
    await admin.close()
  }
}
