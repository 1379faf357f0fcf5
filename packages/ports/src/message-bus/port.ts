import type { Envelope } from '@cairn/contracts/events'

export type Subscription = {
  /** Delivers nothing more; resolves when the running handlers have ended. Idempotent. */
  close(): Promise<void>
}

/**
 * A doorbell. A message says that there may be work; what the work is, the metadata store knows. Whoever depends on a message looks
 * there by the clock as well, because delivery is at least once while the bus is well, in any order, and possibly never.
 *
 * Every group gets every message, one of its members each. A handler that rejects is logged, and gets nothing again.
 * A stored message that is no envelope is delivered as type `unreadable` with the raw text as `data`.
 */
export interface MessageBus {
  /** Resolves when the bus has the messages. AppError `unavailable` when it does not take them. */
  publish(topic: string, messages: readonly Envelope[]): Promise<void>
  /** Returns at once: a bus that is away is joined when it is there. AppError `unavailable` once the bus is closed. */
  subscribe(from: { readonly topic: string; readonly group: string }, handle: (message: Envelope) => Promise<void>): Subscription
  /** AppError `unavailable` when the bus does not answer, or has no such topic. */
  check(topic: string): Promise<void>
  /** Closes every subscription, then the connection. Idempotent. */
  close(): Promise<void>
}
