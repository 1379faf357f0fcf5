import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { MessageBus, Subscription } from '@cairn/domain/ports/message-bus'
import { systemClock } from '../clock/system.ts'
import { createKafkaAdmin } from './kafka/admin.ts'
import type { KafkaConnection, KafkaLog } from './kafka/client.ts'
import { createKafkaConsumer, type KafkaGroupTimes } from './kafka/consumer.ts'
import { createKafkaPublisher } from './kafka/publisher.ts'
import { requireKafkaTopics } from './kafka/topics.ts'

export type Rebalance = {
  readonly topic: string
  readonly group: string
  /** Partitions that this member has now. */
  readonly partitions: readonly number[]
}

export type KafkaMessageBusOptions = KafkaGroupTimes & {
  readonly connection: KafkaConnection
  /** Prefix of topics and groups, so that several installations can share a cluster. Default: none. */
  readonly prefix?: string
  /** For `publish`, retries included. Default: 5,000. */
  readonly publishTimeoutMs?: number
  readonly clock?: Clock
  readonly log?: KafkaLog
  /** Called whenever a subscription has been assigned partitions. */
  readonly onRebalance?: (rebalance: Rebalance) => void
}

const answerWithinMs = 5_000

/** Topics are created beforehand (`createKafkaTopics`), never on use. Connects on first use. */
export const kafkaMessageBus = (options: KafkaMessageBusOptions): MessageBus => {
  const { connection, prefix = '', publishTimeoutMs = 5_000, clock = systemClock(), log, onRebalance } = options
  const admin = createKafkaAdmin({ connection, log, clock, timeoutMs: answerWithinMs })
  const publisher = createKafkaPublisher({ connection, log, clock, timeoutMs: publishTimeoutMs })
  const subscriptions = new Set<Subscription>()
  let closed: Promise<void> | undefined

  const enter = () => {
    if (closed) throw new AppError('unavailable', 'the message bus is closed')
  }
  const closeAll = async () => {
    await Promise.all([...subscriptions].map((subscription) => subscription.close()))
    await Promise.all([publisher.close(), admin.close()])
  }

  return {
    system: 'kafka',
    publish: async (topic, messages) => {
      enter()
      if (messages.length > 0) await publisher.publish(prefix + topic, messages)
    },
    subscribe: ({ topic, group }, handle) => {
      enter()
      const consumer = createKafkaConsumer({
        connection,
        times: options,
        topic: prefix + topic,
        // A group has one Kafka group per topic, because the member that assigns partitions knows only its own topics.
        groupId: `${prefix}${group}.${topic}`,
        clock,
        log,
        handle,
        onRebalance: (partitions) => onRebalance?.({ topic, group, partitions }),
      })
      const subscription = {
        close: async () => {
          await consumer.close()
          subscriptions.delete(subscription)
        },
      }
      subscriptions.add(subscription)
      return subscription
    },
    check: async (topic) => {
      enter()
      await requireKafkaTopics(admin, [prefix + topic])
    },
    close: () => (closed ??= closeAll()),
  }
}
