import { isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import { schemaMismatch } from '@cairn/domain/ports/schema-mismatch'
import { createService, type Service } from './lifecycle.ts'
import type { Logger } from './logger.ts'

/** `detail`, for people, is public: no secrets. `progress`: how far the dependency's start is, 0 to 1. */
export type CheckResult = { readonly ok: boolean; readonly detail?: string; readonly progress?: number }
/** Throwing, or taking longer than 2 s, counts as failed. */
export type Check = () => CheckResult | Promise<CheckResult>

type HealthReport = {
  readonly ready: boolean
  readonly live: boolean
  readonly dependencies: { readonly [name: string]: CheckResult }
  readonly liveness: { readonly [name: string]: CheckResult }
}

const checkWithinMs = 2_000
const cacheMs = 500

const allOk = (results: { readonly [name: string]: CheckResult }) => Object.values(results).every(({ ok }) => ok)

/** Checks at most every half second; callers in between share the result. */
const cacheAnswer = <T>(clock: Pick<Clock, 'monotonic'>, check: () => Promise<T>) => {
  let last: { readonly until: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (last && clock.monotonic() < last.until) return last.answer
    last = { until: clock.monotonic() + cacheMs, answer: check() }
    return last.answer
  }
}

export const createHealth = ({ clock, log }: { readonly clock: Clock; readonly log?: Pick<Logger, 'warn'> }) => {
  const dependencies = new Map<string, Check>()
  const conditions = new Map<string, () => CheckResult>()
  const failing = new Set<string>()
  /** Logs when a check begins to throw and when it succeeds again, not each time. */
  const logChange = (name: string, error: unknown): void => {
    if (error === undefined) {
      if (failing.delete(name)) log?.warn({ check: name }, 'health check recovered')
      return
    }
    if (failing.has(name)) return
    failing.add(name)
    log?.warn({ check: name, because: error instanceof Error ? error.message : String(error) }, 'health check failed')
  }

  const run = async (name: string, check: Check): Promise<CheckResult> => {
    const late = new AbortController()
    try {
      const overdue = clock
        .delay(checkWithinMs, late.signal)
        .then((): CheckResult => ({ ok: false, detail: `no answer within ${checkWithinMs} ms` }))
      const result = await Promise.race([(async () => check())(), overdue])
      if (result.ok) logChange(name, undefined)
      return result
    } catch (error) {
      // The report is public, and an engine's own message may name hosts and paths.
      logChange(name, error)
      return {
        ok: false,
        detail: isAppError(error) && error.cause === schemaMismatch ? error.message : 'not available',
      }
    } finally {
      late.abort()
    }
  }

  const live = cacheAnswer(clock, async () => {
    const liveness = Object.fromEntries([...conditions].map(([name, check]) => [name, check()]))
    return { live: allOk(liveness), liveness }
  })
  const ready = cacheAnswer(clock, async () => {
    const entries = [...dependencies].map(async ([name, check]) => [name, await run(name, check)] as const)
    const results = Object.fromEntries(await Promise.all(entries))
    return { ready: allOk(results), dependencies: results }
  })

  return {
    /** Registers a dependency for `/readyz`: without it the process can't serve requests. */
    dependency: (name: string, check: Check): void => void dependencies.set(name, check),
    /**
     * Registers a condition for `/livez`: only a restart repairs it, and `watchLiveness` ends the process. The check
     * must not wait: in a process that was suspended, every timeout would be overdue.
     */
    liveness: (name: string, check: () => CheckResult): void => void conditions.set(name, check),
    /** Cached for half a second, so that probes can't overload an engine. */
    report: async (): Promise<HealthReport> => ({ ...(await ready()), ...(await live()) }),
    /** Only conditions: a dead engine must not make a process look dead. */
    live,
  }
}

export type Health = ReturnType<typeof createHealth>

/** Calls `onDead` once: a process that can't work must end and be restarted, not stay and look healthy. */
export const watchLiveness = (options: {
  readonly health: Pick<Health, 'live'>
  readonly clock: Clock
  /** Default: 5,000. */
  readonly everyMs?: number
  readonly onDead: (why: Error) => unknown
}): Service => {
  const { health, clock, everyMs = 5_000, onDead } = options
  return createService(async (onStop) => {
    const stopped = new AbortController()
    onStop(async () => stopped.abort())
    const watch = async () => {
      for (;;) {
        await clock.delay(everyMs, stopped.signal)
        if (stopped.signal.aborted) return
        const { live, liveness } = await health.live()
        if (live) continue
        const broken = Object.entries(liveness).filter(([, { ok }]) => !ok)
        return onDead(
          new Error(
            `unhealthy: ${broken.map(([name, { detail }]) => (detail ? `${name} (${detail})` : name)).join(', ')}`,
          ),
        )
      }
    }
    void watch()
  })
}
