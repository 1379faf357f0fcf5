import type { Envelope } from '@cairn/contracts/events'

export type Subscription = {
  /** Resolves when the running handlers have ended. Idempotent. */
  close(): Promise<void>
}

/** Undefined for a bus that stores no messages. */
export type MessagePosition = { readonly partition: number; readonly offset: string }

export type HandleMessage = (message: Envelope, position?: MessagePosition) => Promise<void>

/**
 * A message only wakes: the work itself is in the record store, which consumers also poll, because delivery is at least
 * once while the bus is healthy, in any order, and possibly never.
 *
 * One member of each group handles a message. A rejection is logged, and the message not delivered again. A stored
 * message that is not an envelope is delivered as type `unreadable` with the raw text as `data`.
 */
export interface MessageBus {
  /** Engine name in traces (`messaging.system`). */
  readonly system: string
  /** Resolves when the bus has accepted the messages; else AppError `unavailable`. */
  publish(topic: string, messages: readonly Envelope[]): Promise<void>
  /** Returns at once; connects to an unreachable bus when it is back. AppError `unavailable` once closed. */
  subscribe(from: { readonly topic: string; readonly group: string }, handle: HandleMessage): Subscription
  /** Throws AppError `unavailable` when the bus does not respond, or has no such topic. */
  check(topic: string): Promise<void>
  /** Closes the subscriptions, then the connection. Idempotent. */
  close(): Promise<void>
}
