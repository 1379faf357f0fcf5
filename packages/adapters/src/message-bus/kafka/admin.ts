import type { Admin } from 'kafkajs'
import { createKafka } from './client.ts'
import { type KafkaClientOptions, type KafkaConnected, kafkaConnected } from './connection.ts'

export type KafkaAdmin = KafkaConnected<Admin>

/** A partition's leader is about to move, or not all brokers know a new topic yet. */
const isPassing = (error: unknown) =>
  error instanceof Error && 'type' in error && 'retriable' in error && error.retriable === true
const maxAttempts = 10
const tryPauseMs = 100

/** Repeats requests that fail temporarily. */
export const createKafkaAdmin = (options: KafkaClientOptions): KafkaAdmin => {
  const { connection, log, clock, timeoutMs } = options
  const connected = kafkaConnected(options, async () => {
    const admin = createKafka(connection, log, { requestTimeoutMs: timeoutMs, retries: 3 }).admin()
    await admin.connect()
    return admin
  })

  const patiently = async <T>(admin: Admin, use: (admin: Admin) => Promise<T>) => {
    for (let tries = 1; ; tries++) {
      try {
        return await use(admin)
      } catch (error) {
        if (!isPassing(error) || tries === maxAttempts) throw error
        await clock.delay(tryPauseMs)
      }
    }
  }

  return { run: (use) => connected.run((admin) => patiently(admin, use)), close: connected.close }
}
