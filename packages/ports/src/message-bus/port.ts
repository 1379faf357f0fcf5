import type { Envelope } from '@cairn/contracts/events'

export type Subscription = {
  /** Lets the running handlers finish, then delivers nothing more. Idempotent. */
  close(): Promise<void>
}

export type SubscribeOptions = {
  /** Delivery waits for it before each message: how a full worker pool pauses its partitions. */
  readonly whenReady?: () => Promise<void>
}

/** What a group has not handled yet. */
export type Backlog = { readonly messages: number /** Milliseconds; 0 when there is none. */; readonly oldestAgeMs: number }

/**
 * At-least-once delivery. Messages with one `key` on one topic reach a group in publish order.
 * Every group sees every message from the topic's beginning; members of a group share them.
 * `publish` resolves when the messages are durable (embedded: against a killed process, not a power cut).
 * A rejected handler means: deliver again, after a pause that grows to at most a few seconds.
 * A stored message that is no envelope is delivered as type `unreadable` with the raw text as `data`, so that the router can put it aside.
 * Engine trouble is an AppError `unavailable`.
 */
export interface MessageBus {
  publish(topic: string, messages: readonly Envelope[]): Promise<void>
  subscribe(
    from: { readonly topic: string; readonly group: string },
    handle: (message: Envelope) => Promise<void>,
    options?: SubscribeOptions,
  ): Promise<Subscription>
  /** Of a group that never subscribed: the whole topic. `assigned`: only partitions that this process has, so that it can judge itself. */
  backlog(from: { readonly topic: string; readonly group: string }, options?: { readonly assigned?: boolean }): Promise<Backlog>
  /** Closes every subscription, then the connection. Idempotent. */
  close(): Promise<void>
}
