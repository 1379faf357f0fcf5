import { AppError } from '@cairn/contracts/errors'
import type { Admin } from 'kafkajs'
import type { Clock } from '../clock/port.ts'
import { createKafka, type KafkaConnection, type KafkaLog, kafkaErrorType, kafkaTrouble, within } from './kafka-client.ts'

export type KafkaAdmin = {
  /** Rejects with AppError `unavailable`, after `timeoutMs` at the latest. */
  run<T>(use: (admin: Admin) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A partition whose leader is about to move, or a new topic not all brokers have heard of: settled in a moment. */
const isPassing = (error: unknown) => error instanceof Error && 'type' in error && 'retriable' in error && error.retriable === true
const mostTries = 10
const tryPauseMs = 100

/** Questions to the cluster, over a connection that is made at the first one and again after trouble with it. */
export const createKafkaAdmin = (options: {
  readonly connection: KafkaConnection
  readonly log: KafkaLog | undefined
  readonly clock: Clock
  readonly timeoutMs: number
}): KafkaAdmin => {
  const { connection, log, clock, timeoutMs } = options
  let link: Promise<Admin> | undefined
  let closed = false

  const connect = async () => {
    const admin = createKafka(connection, log, { requestTimeoutMs: timeoutMs, retries: 3 }).admin()
    await admin.connect()
    return admin
  }

  const patiently = async <T>(admin: Admin, use: (admin: Admin) => Promise<T>) => {
    for (let tries = 1; ; tries++) {
      try {
        return await use(admin)
      } catch (error) {
        if (!isPassing(error) || tries === mostTries) throw error
        await clock.delay(tryPauseMs)
      }
    }
  }

  const drop = (dropped: Promise<Admin>) => {
    if (link === dropped) link = undefined
    return dropped.then((admin) => admin.disconnect()).catch(() => {})
  }

  return {
    run: async (use) => {
      if (closed) throw new AppError('unavailable', 'the message bus is closed')
      link ??= connect()
      const used = link
      try {
        return await within(
          clock,
          timeoutMs,
          'an answer',
          used.then((admin) => patiently(admin, use)),
        )
      } catch (error) {
        // An answer that says no has come over a sound connection, which others may be using.
        if (kafkaErrorType(error) === undefined) void drop(used)
        throw kafkaTrouble(error)
      }
    },
    close: async () => {
      closed = true
      if (link) await within(clock, timeoutMs, 'disconnecting', drop(link)).catch(() => {})
    },
  }
}
