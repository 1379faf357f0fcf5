import type { Envelope } from '@cairn/contracts/events'

export type Subscription = {
  /** Stops delivery; resolves when the running handlers have ended. Idempotent. */
  close(): Promise<void>
}

/** Where the bus stores a message; undefined for a bus that stores none. */
export type MessagePosition = { readonly partition: number; readonly offset: string }

export type HandleMessage = (message: Envelope, position?: MessagePosition) => Promise<void>

/**
 * A wake-up signal. A message only says that there may be work; the work itself is in the record store. Consumers
 * also poll that store, because delivery is at least once while the bus is healthy, in any order, and possibly never.
 *
 * Every group gets every message; one of its members handles it. A handler's rejection is logged, and the message is
 * not delivered again. A stored message that is not an envelope is delivered as type `unreadable` with the raw text as
 * `data`.
 */
export interface MessageBus {
  /** Name of the engine in traces (`messaging.system`). */
  readonly system: string
  /** Resolves when the bus has accepted the messages. AppError `unavailable` when it does not accept them. */
  publish(topic: string, messages: readonly Envelope[]): Promise<void>
  /**
   * Subscribes and returns at once; connects to an unreachable bus when it is back. AppError `unavailable` once the bus
   * is closed.
   */
  subscribe(from: { readonly topic: string; readonly group: string }, handle: HandleMessage): Subscription
  /** Checks the bus. AppError `unavailable` when the bus does not respond, or has no such topic. */
  check(topic: string): Promise<void>
  /** Closes every subscription, then the connection. Idempotent. */
  close(): Promise<void>
}
