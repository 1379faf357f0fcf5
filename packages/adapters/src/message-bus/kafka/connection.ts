import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import { type KafkaConnection, type KafkaLog, kafkaErrorType, toKafkaError, within } from './client.ts'

type Client = { disconnect(): Promise<void> }

export type KafkaClientOptions = {
  readonly connection: KafkaConnection
  readonly log: KafkaLog | undefined
  readonly clock: Clock
  readonly timeoutMs: number
}

export type KafkaConnected<C extends Client> = {
  /** Rejects with AppError `unavailable` on failure, after `timeoutMs` at the latest. */
  run<T>(use: (client: C) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Connects on first use, and again after a connection error. */
export const kafkaConnected = <C extends Client>(
  { clock, timeoutMs }: Pick<KafkaClientOptions, 'clock' | 'timeoutMs'>,
  connect: () => Promise<C>,
): KafkaConnected<C> => {
  let current: Promise<C> | undefined
  let closed = false

  /** Disconnects a failed client once: later failures see that `current` has changed. */
  const drop = async (dropped: Promise<C>) => {
    if (current !== dropped) return
    current = undefined
    await dropped.then((client) => client.disconnect()).catch(() => {})
  }

  return {
    run: async (use) => {
      if (closed) throw new AppError('unavailable', 'the message bus is closed')
      current ??= connect()
      const used = current
      try {
        return await within(clock, timeoutMs, 'an answer', used.then(use))
      } catch (error) {
        // An error response proves that the connection works, and other requests may be using it.
        if (kafkaErrorType(error) === undefined) void drop(used)
        throw toKafkaError(error)
      }
    },
    close: async () => {
      closed = true
      if (current) await within(clock, timeoutMs, 'disconnecting', drop(current)).catch(() => {})
    },
  }
}
