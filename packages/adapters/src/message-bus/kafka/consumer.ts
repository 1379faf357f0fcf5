import type { Envelope } from '@cairn/contracts/events'
import type { HandleMessage, Subscription } from '@cairn/domain/ports/message-bus'
import { type Consumer, type EachBatchPayload, type KafkaMessage, PartitionAssigners } from 'kafkajs'
import { deliver } from '../deliver.ts'
import { readEnvelope } from '../envelope.ts'
import { createKafka, kafkaRetry, within } from './client.ts'
import type { KafkaClientOptions } from './connection.ts'

/** How quickly a group detects that a member has joined or left. */
export type KafkaGroupTimes = {
  /** Without a heartbeat for this long, a member loses its partitions. Default: 30,000. */
  readonly sessionTimeoutMs?: number
  /** Also how soon a member notices a rebalance. Default: 1,000, so that a member joins in about a second. */
  readonly heartbeatMs?: number
  /** A rebalance waits this long for a member that does not rejoin; all others wait too. Default: 10,000. */
  readonly rebalanceTimeoutMs?: number
}

export type KafkaConsumerOptions = Omit<KafkaClientOptions, 'timeoutMs'> & {
  readonly times: KafkaGroupTimes
  /** In Kafka, with the prefix. */
  readonly topic: string
  readonly groupId: string
  readonly handle: HandleMessage
  /** Called whenever this member has been assigned partitions. */
  readonly onRebalance: (partitions: readonly number[]) => void
}

/** A due heartbeat or a stop is noticed only after this wait for messages. */
const fetchWaitMs = 250
/** Fits into the time for shutdown with the earlier steps; other members notice a slower leave later. */
const leaveWithinMs = 3_000
const requestTimeoutMs = 10_000
const rejoinPauseMs = [500, 1_000, 2_000, 5_000]

const envelopeOf = (topic: string, partition: number, { key, value, offset, timestamp }: KafkaMessage): Envelope =>
  readEnvelope(value?.toString() ?? '', {
    id: `${topic}-${partition}-${offset}`,
    key: key?.toString() ?? '',
    at: Number(timestamp),
  })

const newMember = ({ connection, log, groupId, times }: KafkaConsumerOptions, heartbeatInterval: number): Consumer =>
  createKafka(connection, log, { requestTimeoutMs, retries: kafkaRetry.retries }).consumer({
    groupId,
    partitionAssigners: [PartitionAssigners.roundRobin],
    sessionTimeout: times.sessionTimeoutMs ?? 30_000,
    heartbeatInterval,
    rebalanceTimeout: times.rebalanceTimeoutMs ?? 10_000,
    maxWaitTimeInMs: fetchWaitMs,
    allowAutoTopicCreation: false,
    retry: { ...kafkaRetry, restartOnFailure: async () => false },
  })

/**
 * If the consumer crashes for any reason, a new one joins after a pause. kafkajs's own restart is not used: if stopped
 * while joining, it would leave a member in the group that handles no messages. The offset of a message is committed
 * once its handler has ended, even with an error.
 */
export const createKafkaConsumer = (options: KafkaConsumerOptions): Subscription => {
  const { times, topic, groupId, clock, log, handle, onRebalance } = options
  const closing = new AbortController()
  const closed = new Promise<undefined>((resolve) => closing.signal.addEventListener('abort', () => resolve(undefined)))
  const heartbeatMs = times.heartbeatMs ?? 1_000

  const eachBatch = async ({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload) => {
    // A handler may wait for an unavailable store; the member stays in its group meanwhile.
    const beat = setInterval(() => heartbeat().catch(() => undefined), heartbeatMs)
    try {
      for (const message of batch.messages) {
        if (!isRunning() || isStale()) return
        const position = { partition: batch.partition, offset: message.offset }
        await deliver(handle, envelopeOf(topic, batch.partition, message), { topic, log, position })
        resolveOffset(message.offset)
      }
    } finally {
      clearInterval(beat)
    }
  }

  const leave = (consumer: Consumer) =>
    within(clock, leaveWithinMs, 'leaving the group', consumer.disconnect()).catch((error: unknown) =>
      log?.warn({ err: error, groupId }, 'leaving the consumer group failed'),
    )
  /** Resolves to the error of a crash; undefined when closed. */
  const consume = async (onJoined: () => void): Promise<unknown> => {
    const consumer = newMember(options, heartbeatMs)
    const crashed = new Promise<unknown>((resolve) =>
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error)),
    )
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      onJoined()
      onRebalance(payload.memberAssignment[topic] ?? [])
    })
    const join = async () => {
      await consumer.connect()
      await consumer.subscribe({ topics: [topic], fromBeginning: true })
      await consumer.run({ eachBatchAutoResolve: false, eachBatch })
      return crashed
    }
    try {
      return await Promise.race([join(), closed])
    } catch (error) {
      return error
    } finally {
      await leave(consumer)
    }
  }

  const stayJoined = async () => {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const error = await consume(() => {
        failures = 0
      })
      if (closing.signal.aborted) return
      const pauseMs = rejoinPauseMs[Math.min(failures, rejoinPauseMs.length - 1)] ?? 0
      log?.warn({ err: error, groupId, topic, pauseMs }, 'message consumer stopped, joining again')
      await clock.delay(pauseMs, closing.signal)
    }
  }

  const joined = stayJoined()
  return {
    close: () => {
      closing.abort()
      return joined
    },
  }
}
