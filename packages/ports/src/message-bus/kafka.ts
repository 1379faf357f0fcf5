import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '../clock/port.ts'
import { systemClock } from '../clock/system.ts'
import { createKafkaAdmin } from './kafka-admin.ts'
import { createKafkaBacklog, readProgress } from './kafka-backlog.ts'
import { type KafkaConnection, type KafkaLog, kafkaTrouble } from './kafka-client.ts'
import { createKafkaMember, type KafkaMember } from './kafka-member.ts'
import { createKafkaPublisher } from './kafka-publisher.ts'
import type { KafkaGroupTimes } from './kafka-session.ts'
import { requireKafkaTopics } from './kafka-topics.ts'
import type { MessageBus, Subscription } from './port.ts'

export type Rebalance = {
  readonly topic: string
  readonly group: string
  /** Those this member has now. */
  readonly partitions: readonly number[]
  readonly durationMs: number
}

export type KafkaMessageBusOptions = KafkaGroupTimes & {
  readonly connection: KafkaConnection
  /** Stands before the names of topics and groups, so that several installations can share a cluster. Default: none. */
  readonly prefix?: string
  /** `publish` rejects after so long (ms); until then it tries. Default: 5,000. */
  readonly publishTimeoutMs?: number
  /** How many messages a subscription holds of each partition; above it the partition is not fetched from. Default: 1,000. */
  readonly bufferedPerPartition?: number
  readonly clock?: Clock
  /** Hears of messages that are delivered again and of trouble with the brokers. */
  readonly log?: KafkaLog
  /** A subscription has got its partitions, at first or anew. */
  readonly onRebalance?: (rebalance: Rebalance) => void
  /**
   * A subscription has ended for a reason that does not pass (access denied …): the process should end, too. Default: an
   * uncaught error, which does that.
   */
  readonly onFatal?: (error: Error) => void
}

export type KafkaMessageBus = MessageBus & {
  /** For a start: AppError `unavailable` that names those that are missing and what makes them. First use checks as well. */
  requireTopics(topics: readonly string[]): Promise<void>
}

const answerWithinMs = 5_000

const throwUncaught = (error: Error) => {
  setImmediate(() => {
    throw error
  })
}

/**
 * The bus of a cluster. Topics are made beforehand (`makeKafkaTopics`), never by using them. Connections are made at first use.
 *
 * Order holds for a key, not for a partition: while a message is being handled or waits to be delivered again, those of other
 * keys behind it go on, as far as the buffer reaches. A message is only delivered again after a restart or a rebalance when
 * its handler had not finished, or within the half second before its commit when the process was killed.
 */
export const kafkaMessageBus = (options: KafkaMessageBusOptions): KafkaMessageBus => {
  const { connection, prefix = '', publishTimeoutMs = 5_000, bufferedPerPartition = 1_000, clock = systemClock(), log } = options
  const { onRebalance, onFatal = throwUncaught } = options
  const admin = createKafkaAdmin({ connection, log, clock, timeoutMs: answerWithinMs })
  const readBacklog = createKafkaBacklog({ admin, clock })
  const members = new Map<KafkaMember, string>()
  const seenTopics = new Set<string>()
  let closed: Promise<void> | undefined

  const nameOf = (topic: string) => prefix + topic
  /**
   * A Kafka group for every topic of a group: the member that deals out the partitions knows only its own topics, so in a
   * group whose members want different ones some would be dealt to members that did not ask for them, others to nobody.
   * Whoever scales by lag names these groups (infra/helm).
   */
  const groupIdOf = (group: string, topic: string) => `${prefix}${group}.${topic}`

  const requireTopic = async (name: string) => {
    if (seenTopics.has(name)) return
    await requireKafkaTopics(admin, [name])
    seenTopics.add(name)
  }

  const publisher = createKafkaPublisher({ connection, log, clock, timeoutMs: publishTimeoutMs, requireTopic })

  const enter = () => {
    if (closed) throw new AppError('unavailable', 'the message bus is closed')
  }

  const closeAll = async () => {
    await Promise.all([...members.keys()].map((member) => member.close()))
    await publisher.close()
    await admin.close()
  }

  const leave = async (member: KafkaMember) => {
    await member.close()
    members.delete(member)
  }

  return {
    publish: async (topic, messages) => {
      enter()
      if (messages.length > 0) await publisher.publish(nameOf(topic), messages)
    },
    subscribe: async ({ topic, group }, handle, { whenReady } = {}) => {
      enter()
      const [name, groupId] = [nameOf(topic), groupIdOf(group, topic)]
      await requireTopic(name)
      enter()
      const member = createKafkaMember({
        connection,
        times: options,
        topic: name,
        groupId,
        clock,
        log,
        handle,
        whenReady,
        bufferedPerPartition,
        progress: () => readProgress(admin, name, groupId),
        onRebalance: (partitions, durationMs) => onRebalance?.({ topic, group, partitions, durationMs }),
        onFatal,
      })
      members.set(member, groupId)
      try {
        await member.join()
      } catch (error) {
        await leave(member)
        throw kafkaTrouble(error)
      }
      const subscription: Subscription = { close: () => leave(member) }
      return subscription
    },
    backlog: async ({ topic, group }, { assigned = false } = {}) => {
      enter()
      const groupId = groupIdOf(group, topic)
      await requireTopic(nameOf(topic))
      const own = [...members.keys()].filter((member) => members.get(member) === groupId)
      const states = new Map(own.flatMap((member) => [...member.states()]))
      const partitions = new Set(own.flatMap((member) => member.partitions()))
      return readBacklog(nameOf(topic), groupId, states, assigned ? (partition) => partitions.has(partition) : undefined)
    },
    requireTopics: (topics) => requireKafkaTopics(admin, topics.map(nameOf)),
    close: () => {
      closed ??= closeAll()
      return closed
    },
  }
}
