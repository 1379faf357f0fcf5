import { slices } from '@cairn/contracts/flow/slices'
import { within } from '@cairn/runtime/process/within'
import { type Counted, createDailyTallies } from './daily-tallies.ts'
import type { GatewayPorts } from './deps.ts'

export type Payer = { readonly accountId: string; readonly keyId: string }

const oneRequest: Counted = { requests: 1, credits: 1 }
const flushEveryMs = 1_000
const stopWithinMs = 3_000
/** Daily rows. */
const rowsAtOnce = 1_000

type Tally = {
  readonly accountId: string
  readonly period: string
  stored: number
  /** When `stored` was read; other gateways count too. */
  readAt: number
  requests: number
  credits: number
  /** Write in progress: perhaps in the store, but not yet in `stored`. */
  writing: number
}

/** Returns the calendar month, UTC. */
export const periodOf = (at: number): string => new Date(at).toISOString().slice(0, 7)
/** Returns the day in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const hourMs = 3_600_000

/** Caches month and day, which change only on the hour. */
const createCalendar = () => {
  let hour = -1
  let date = { period: '', day: '' }
  return (at: number) => {
    const now = Math.floor(at / hourMs)
    if (now !== hour) date = { period: periodOf(at), day: dayOf(at) }
    hour = now
    return date
  }
}

/** Runs the work after its previous run has ended. */
const oneAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let last = Promise.resolve()
  return () => {
    last = last.then(work)
    return last
  }
}

/**
 * Counts in memory and writes all accounts together each second. Close to the limit, a conditional update counts each
 * request: the limit is exact with any number of gateways. A crash loses at most a second of counts.
 */
export const createUsageMeter = ({ store, clock, log }: Pick<GatewayPorts, 'store' | 'clock' | 'log'>) => {
  const dateAt = createCalendar()
  const daily = createDailyTallies()
  const tallies = new Map<string, Promise<Tally>>()
  const stopped = new AbortController()
  let running: Promise<void> | undefined

  const begun = async (accountId: string, period: string): Promise<Tally> => {
    const stored = (await store.usage.get(accountId, period))?.requests ?? 0
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
  /** Reads the count again: a gateway that was idle does not know what others have counted since. */
  const readAgain = async (tally: Tally): Promise<void> => {
    const stored = (await store.usage.get(tally.accountId, tally.period))?.requests ?? 0
    tally.stored = Math.max(tally.stored, stored)
    tally.readAt = clock.monotonic()
  }
  /** Does not repeat a failed write: the rows may have been written. */
  const flushDays = oneAtATime(async () => {
    for (const some of slices(daily.take(), rowsAtOnce)) {
      await store.dailyUsage
        .add(some)
        .catch((error: unknown) => log.warn({ err: error, rows: some.length }, 'daily usage flush failed'))
    }
  })
  const flushPeriods = oneAtATime(async () => {
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
      const sums = await store.usage.add(batch)
      for (const [index, tally] of due.entries()) {
        tally.stored = Math.max(tally.stored, sums[index]?.requests ?? 0)
        tally.readAt = clock.monotonic()
      }
    } catch (error) {
      // It may have been written. Counting twice would be worse for the account than losing a second of counts.
      log.warn(
        { err: error, accounts: due.length, requests: batch.reduce((sum, { requests }) => sum + requests, 0) },
        'usage flush failed',
      )
    } finally {
      for (const tally of due) tally.writing = 0
    }
  })
  const flush = async () => void (await Promise.all([flushPeriods(), flushDays()]))

  const addDay = ({ accountId, keyId }: Payer, day: string, counted: Counted) =>
    daily.add(accountId, day, 'key', keyId, counted)

  return {
    /** `current` includes the request if it is allowed. `limit` null: unlimited. */
    count: async (
      payer: Payer,
      limit: number | null,
    ): Promise<{ readonly allowed: boolean; readonly current: number }> => {
      const { period, day } = dateAt(clock.now())
      const tally = await tallyOf(payer.accountId, period)
      if (limit !== null && clock.monotonic() - tally.readAt > 2 * flushEveryMs) await readAgain(tally)
      const current = tally.stored + tally.writing + tally.requests
      if (limit === null || limit - current > Math.max(1_000, limit / 100)) {
        tally.requests += 1
        tally.credits += 1
        addDay(payer, day, oneRequest)
        return { allowed: true, current: current + 1 }
      }
      if (tally.requests > 0) await flushPeriods()
      const counted = await store.usage.addWithin(payer.accountId, tally.period, 1, limit)
      if (!counted) return { allowed: false, current: limit }
      tally.stored = Math.max(tally.stored, counted.requests)
      addDay(payer, day, oneRequest)
      return { allowed: true, current: counted.requests }
    },
    /** Counts credits beyond a request's first; each of `namespaces` is charged all of them. */
    charge: async (payer: Payer, credits: number, ...namespaces: readonly string[]): Promise<void> => {
      if (credits <= 0) return
      const { period, day } = dateAt(clock.now())
      ;(await tallyOf(payer.accountId, period)).credits += credits
      const counted = { requests: 0, credits }
      addDay(payer, day, counted)
      for (const name of namespaces) daily.add(payer.accountId, day, 'namespace', name, counted)
    },
    /** Adds a counted request and one credit to each of these namespaces. */
    countIn: (accountId: string, namespaces: readonly string[]): void => {
      const { day } = dateAt(clock.now())
      for (const name of new Set(namespaces)) daily.add(accountId, day, 'namespace', name, oneRequest)
    },
    flush,
    begin: (): void => {
      running ??= (async () => {
        while (!stopped.signal.aborted) {
          await clock.delay(flushEveryMs, stopped.signal)
          await flush()
        }
      })()
    },
    stop: async (): Promise<void> => {
      stopped.abort()
      const written = Promise.all([running, flush()])
      // An unavailable store must not delay the stop: like a crash, this loses at most a second of counts.
      await within(clock, stopWithinMs, `not written within ${stopWithinMs} ms`, written).catch((error: unknown) =>
        log.warn({ err: error }, 'usage flush failed at shutdown'),
      )
    },
  }
}

export type UsageMeter = ReturnType<typeof createUsageMeter>
