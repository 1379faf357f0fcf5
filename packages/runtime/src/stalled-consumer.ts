import type { Clock } from '@cairn/ports/clock/port'
import type { Backlog } from '@cairn/ports/message-bus/port'
import type { Check } from './health.ts'

/** Ages are measured by wall clocks, which drift and jump a little. */
const toleranceMs = 1_000

/**
 * A liveness condition: not ok when the pool has had a free slot for `afterMs` while the oldest unhandled message of this process stayed
 * the same and got older. Then this process no longer takes what it should, and a new one may.
 */
export const stalledConsumer = (options: {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Free slots in the pool. */
  readonly free: () => number
  /** Of the partitions that are assigned to this process: what waits for a full colleague says nothing about this one. */
  readonly backlog: () => Promise<Backlog>
  /** Messages that have been delivered and wait for the pool: the consumer has taken them. Default: none. */
  readonly held?: () => number
  /** Whether the records that messages speak of can be read: while they can't, no message can be handled by anybody. */
  readonly storeAnswers?: () => Promise<boolean>
  /** Default: 60,000. */
  readonly afterMs?: number
}): Check => {
  const { clock, free, backlog, held = () => 0, storeAnswers = async () => true, afterMs = 60_000 } = options
  let since: number | undefined
  let born = 0
  return async () => {
    // A bus that does not answer says nothing about this process: a new one could not ask it either.
    const waiting = await backlog().catch(() => undefined)
    if (!waiting) return { ok: true }
    const { messages, oldestAgeMs } = waiting
    const now = clock.monotonic()
    const bornNow = now - oldestAgeMs
    if (messages <= held() || free() === 0 || !(await storeAnswers())) since = undefined
    else if (since === undefined || bornNow > born + toleranceMs) {
      since = now
      born = bornNow
    }
    if (since === undefined || now - since < afterMs) return { ok: true }
    return {
      ok: false,
      detail: `free places, but the oldest of ${messages} messages has been waiting for ${Math.round(oldestAgeMs / 1_000)} s`,
    }
  }
}
