import type { Clock } from '@cairn/ports/clock/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { Logger } from '@cairn/runtime/logger'
import { within } from '@cairn/runtime/within'

export type Metered = {
  readonly allowed: boolean /** Requests of the period, this one included when allowed. */
  readonly current: number
}

export type UsageMeter = {
  /** Counts one request and its credits. `limit` null: unlimited. */
  count(accountId: string, limit: number | null): Promise<Metered>
  /** Counts what a request costs beyond one credit. */
  charge(accountId: string, credits: number): Promise<void>
  /** Writes what was counted. */
  flush(): Promise<void>
  begin(): void
  stop(): Promise<void>
}

const flushEveryMs = 1_000
const stopWithinMs = 3_000

type Tally = {
  readonly accountId: string
  readonly period: string
  stored: number
  /** When `stored` was read; other gateways count too. */
  readAt: number
  requests: number
  credits: number
  /** Requests being written: perhaps in the store, and not yet in `stored`. */
  writing: number
}

/** Returns the calendar month, UTC, in which a request counts. */
export const periodOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

const hourMs = 3_600_000

/** The same, cached for an hour: no month begins within one. */
const createPeriods = () => {
  let hour = -1
  let period = ''
  return (at: number): string => {
    const now = Math.floor(at / hourMs)
    if (now !== hour) period = periodOf(at)
    hour = now
    return period
  }
}

/**
 * Counts requests in memory and writes those of all accounts together each second. Close to the limit it counts by one
 * conditional update per request, so the limit is exact with any number of gateways. A crash loses at most a second of
 * counts.
 */
export const createUsageMeter = ({
  metadata,
  clock,
  log,
}: {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: Logger
}): UsageMeter => {
  const periodNow = createPeriods()
  const tallies = new Map<string, Promise<Tally>>()
  const stopped = new AbortController()
  let running: Promise<void> | undefined
  let flushing: Promise<void> = Promise.resolve()

  const begun = async (accountId: string, period: string): Promise<Tally> => {
    const stored = (await metadata.usage.get(accountId, period))?.requests ?? 0
    return { accountId, period, stored, readAt: clock.monotonic(), requests: 0, credits: 0, writing: 0 }
  }
  const tallyOf = (accountId: string, period: string): Promise<Tally> => {
    const key = `${accountId} ${period}`
    const existing = tallies.get(key)
    if (existing) return existing
    const tally = begun(accountId, period)
    tallies.set(key, tally)
    tally.catch(() => tallies.delete(key))
    return tally
  }
  /** A gateway that was idle does not know what others have counted since. */
  const readAgain = async (tally: Tally): Promise<void> => {
    const stored = (await metadata.usage.get(tally.accountId, tally.period))?.requests ?? 0
    tally.stored = Math.max(tally.stored, stored)
    tally.readAt = clock.monotonic()
  }
  const flushAll = async () => {
    const period = periodOf(clock.now())
    const all = await Promise.all(
      [...tallies].map(async ([key, pending]) => [key, await pending.catch(() => undefined)] as const),
    )
    const due: Tally[] = []
    for (const [key, tally] of all) {
      if (!tally) continue
      if (tally.requests > 0 || tally.credits > 0) due.push(tally)
      else if (tally.period !== period) tallies.delete(key)
    }
    if (due.length === 0) return
    const batch = due.map(({ accountId, period: of, requests, credits }) => ({
      accountId,
      period: of,
      requests,
      credits,
    }))
    for (const tally of due) Object.assign(tally, { requests: 0, credits: 0, writing: tally.requests })
    try {
      const sums = await metadata.usage.add(batch)
      for (const [index, tally] of due.entries()) {
        tally.stored = Math.max(tally.stored, sums[index]?.requests ?? 0)
        tally.readAt = clock.monotonic()
      }
    } catch (error) {
      // Whether it was written is unknown. Counting twice would be worse for the account than losing a second of
      // counts.
      log.warn(
        { err: error, accounts: due.length, requests: batch.reduce((sum, { requests }) => sum + requests, 0) },
        'usage flush failed',
      )
    } finally {
      for (const tally of due) tally.writing = 0
    }
  }
  const flush = () => {
    flushing = flushing.then(flushAll)
    return flushing
  }

  return {
    count: async (accountId, limit) => {
      const tally = await tallyOf(accountId, periodNow(clock.now()))
      if (limit !== null && clock.monotonic() - tally.readAt > 2 * flushEveryMs) await readAgain(tally)
      const current = tally.stored + tally.writing + tally.requests
      if (limit === null || limit - current > Math.max(1_000, limit / 100)) {
        tally.requests += 1
        tally.credits += 1
        return { allowed: true, current: current + 1 }
      }
      if (tally.requests > 0) await flush()
      const counted = await metadata.usage.addWithin(accountId, tally.period, 1, limit)
      if (counted) tally.stored = Math.max(tally.stored, counted.requests)
      return counted ? { allowed: true, current: counted.requests } : { allowed: false, current: limit }
    },
    charge: async (accountId, credits) => {
      if (credits > 0) (await tallyOf(accountId, periodNow(clock.now()))).credits += credits
    },
    flush,
    begin: () => {
      running ??= (async () => {
        while (!stopped.signal.aborted) {
          await clock.delay(flushEveryMs, stopped.signal)
          await flush()
        }
      })()
    },
    stop: async () => {
      stopped.abort()
      const written = Promise.all([running, flush()])
      // A store that is away must not delay the stop: what is lost is the second that a crash costs too.
      await within(clock, stopWithinMs, `not written within ${stopWithinMs} ms`, written).catch((error: unknown) =>
        log.warn({ err: error }, 'usage flush failed at shutdown'),
      )
    },
  }
}
