import type { Clock } from '@cairn/domain/ports/clock'
import type { CheckResult } from '../process/health.ts'
import type { Jobs } from './jobs.ts'

/** A job due, and a slot free without a start, for this time indicate a defect. */
const stalledMs = 60_000

/**
 * Reports the store's last answer and requests a new one. Fails when for a minute there was a free slot and a job that
 * had been due for a minute, but this process started none.
 */
export const stalledJobs = (options: {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly jobs: Pick<Jobs, 'free' | 'due' | 'startedAt'>
}): (() => CheckResult) => {
  const { clock, jobs } = options
  let since: number | undefined
  let asking = false
  let last: CheckResult = { ok: true }

  const judge = (waiting: { readonly oldestMs: number } | undefined): CheckResult => {
    const now = clock.monotonic()
    if (!waiting || waiting.oldestMs < stalledMs || jobs.free() === 0) since = undefined
    else since = Math.max(since ?? now, jobs.startedAt())
    if (!waiting || since === undefined || now - since < stalledMs) return { ok: true }
    return {
      ok: false,
      detail: `free slots, but the oldest due job has waited ${Math.round(waiting.oldestMs / 1_000)} s`,
    }
  }
  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    // A store that does not answer says nothing about this process: a new one could not reach it either.
    last = judge(await jobs.due().catch(() => undefined))
    asking = false
  }

  return () => {
    void ask()
    return last
  }
}
