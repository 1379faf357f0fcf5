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

type MeterDeps = Pick<GatewayPorts, 'store' | 'clock' | 'log'>

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

/** Requests and credits of the accounts in this month, and what other gateways have counted as of the last read. */
class MonthlyTallies {
  readonly #deps: MeterDeps
  readonly #tallies = new Map<string, Promise<Tally>>()

  constructor(deps: MeterDeps) {
    this.#deps = deps
  }

  of(accountId: string, period: string): Promise<Tally> {
    const key = `${accountId} ${period}`
    const existing = this.#tallies.get(key)
    if (existing) return existing
    const tally = this.#begin(accountId, period)
    this.#tallies.set(key, tally)
    tally.catch(() => this.#tallies.delete(key))
    return tally
  }

  async #begin(accountId: string, period: string): Promise<Tally> {
    const { store, clock } = this.#deps
    const stored = (await store.usage.get(accountId, period))?.requests ?? 0
    return { accountId, period, stored, readAt: clock.monotonic(), requests: 0, credits: 0, writing: 0 }
  }

  /** A gateway that was idle does not know what others have counted since. */
  async refresh(tally: Tally): Promise<void> {
    const { store, clock } = this.#deps
    if (clock.monotonic() - tally.readAt <= 2 * flushEveryMs) return
    const stored = (await store.usage.get(tally.accountId, tally.period))?.requests ?? 0
    tally.stored = Math.max(tally.stored, stored)
    tally.readAt = clock.monotonic()
  }

  readonly flush = oneAtATime(async () => {
    const due = await this.#takeDue()
    if (due.length === 0) return
    const batch = due.map(({ accountId, period, requests, credits }) => ({ accountId, period, requests, credits }))
    for (const tally of due) Object.assign(tally, { requests: 0, credits: 0, writing: tally.requests })
    const { store, clock, log } = this.#deps
    try {
      const sums = await store.usage.add(batch)
      for (const [index, tally] of due.entries()) {
        tally.stored = Math.max(tally.stored, sums[index]?.requests ?? 0)
        tally.readAt = clock.monotonic()
      }
    } catch (error) {
      // It may have been written. Counting twice would be worse for the account than losing a second of counts.
      const requests = batch.reduce((sum, each) => sum + each.requests, 0)
      log.warn({ err: error, accounts: due.length, requests }, 'usage flush failed')
    } finally {
      for (const tally of due) tally.writing = 0
    }
  })

  /** Returns the tallies with something to write; forgets those of former months. */
  async #takeDue(): Promise<Tally[]> {
    const period = periodOf(this.#deps.clock.now())
    const due: Tally[] = []
    for (const [key, pending] of [...this.#tallies]) {
      const tally = await pending.catch(() => undefined)
      if (!tally) continue
      if (tally.requests > 0 || tally.credits > 0) due.push(tally)
      else if (tally.period !== period) this.#tallies.delete(key)
    }
    return due
  }
}

/**
 * Counts in memory and writes all accounts together each second. Close to the limit, a conditional update counts each
 * request: the limit is exact with any number of gateways. A crash loses at most a second of counts.
 */
export class UsageMeter {
  readonly #deps: MeterDeps
  readonly #dateAt = createCalendar()
  readonly #daily = createDailyTallies()
  readonly #monthly: MonthlyTallies
  readonly #stopped = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: MeterDeps) {
    this.#deps = deps
    this.#monthly = new MonthlyTallies(deps)
  }

  /** `current` includes the request if it is allowed. `limit` null: unlimited. */
  async count(payer: Payer, limit: number | null): Promise<{ readonly allowed: boolean; readonly current: number }> {
    const { store, clock } = this.#deps
    const { period, day } = this.#dateAt(clock.now())
    const tally = await this.#monthly.of(payer.accountId, period)
    if (limit !== null) await this.#monthly.refresh(tally)
    const current = tally.stored + tally.writing + tally.requests
    if (limit === null || limit - current > Math.max(1_000, limit / 100)) {
      tally.requests += 1
      tally.credits += 1
      this.#addDay(payer, day, oneRequest)
      return { allowed: true, current: current + 1 }
    }
    if (tally.requests > 0) await this.#monthly.flush()
    const counted = await store.usage.addWithin(payer.accountId, tally.period, 1, limit)
    if (!counted) return { allowed: false, current: limit }
    tally.stored = Math.max(tally.stored, counted.requests)
    this.#addDay(payer, day, oneRequest)
    return { allowed: true, current: counted.requests }
  }

  /** Counts credits beyond a request's first; each of `namespaces` is charged all of them. */
  async charge(payer: Payer, credits: number, ...namespaces: readonly string[]): Promise<void> {
    if (credits <= 0) return
    const { period, day } = this.#dateAt(this.#deps.clock.now())
    ;(await this.#monthly.of(payer.accountId, period)).credits += credits
    const counted = { requests: 0, credits }
    this.#addDay(payer, day, counted)
    for (const name of namespaces) this.#daily.add(payer.accountId, day, 'namespace', name, counted)
  }

  /** Adds a counted request and one credit to each of these namespaces. */
  countIn(accountId: string, namespaces: readonly string[]): void {
    const { day } = this.#dateAt(this.#deps.clock.now())
    for (const name of new Set(namespaces)) this.#daily.add(accountId, day, 'namespace', name, oneRequest)
  }

  #addDay({ accountId, keyId }: Payer, day: string, counted: Counted): void {
    this.#daily.add(accountId, day, 'key', keyId, counted)
  }

  async flush(): Promise<void> {
    await Promise.all([this.#monthly.flush(), this.#flushDays()])
  }

  /** Does not repeat a failed write: the rows may have been written. */
  readonly #flushDays = oneAtATime(async () => {
    const { store, log } = this.#deps
    for (const some of slices(this.#daily.take(), rowsAtOnce)) {
      await store.dailyUsage
        .add(some)
        .catch((error: unknown) => log.warn({ err: error, rows: some.length }, 'daily usage flush failed'))
    }
  })

  begin(): void {
    this.#running ??= this.#flushUntilStopped()
  }

  async #flushUntilStopped(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#deps.clock.delay(flushEveryMs, signal)
      await this.flush()
    }
  }

  async stop(): Promise<void> {
    const { clock, log } = this.#deps
    this.#stopped.abort()
    const written = Promise.all([this.#running, this.flush()])
    // An unavailable store must not delay the stop: like a crash, this loses at most a second of counts.
    await within(clock, stopWithinMs, `not written within ${stopWithinMs} ms`, written).catch((error: unknown) =>
      log.warn({ err: error }, 'usage flush failed at shutdown'),
    )
  }
}
