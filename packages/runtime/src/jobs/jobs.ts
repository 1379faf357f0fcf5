import { AppError } from '@cairn/contracts/errors'
import type { Ids } from '@cairn/domain/ids'
import { classify } from '@cairn/domain/jobs/job-error'
import type { JobRun, PartialResult } from '@cairn/domain/jobs/job-run'
import { createJobSlots } from '@cairn/domain/jobs/job-slots'
import type { DueCount } from '@cairn/domain/jobs/jobs'
import type { Job, Lane, Lease } from '@cairn/domain/jobs/record'
import { createScheduler } from '@cairn/domain/jobs/scheduler'
import type { Clock } from '@cairn/domain/ports/clock'
import type { JobStore } from '@cairn/domain/store'
import type { Logger } from '../process/logger.ts'
import { backoffMs, retryUnavailable } from '../process/retry.ts'
import { within } from '../process/within.ts'
import { type JobTrace, type JobTracing, traceJob } from '../tracing/job-trace.ts'

const renewEveryMs = 10_000
/** Plus or minus a random half. Finds jobs whose message was lost or met no free slot. */
const pollEveryMs = 1_000
/** Between sweeps for abandoned jobs, which have already waited for half a minute. */
const pollsPerSweep = 5
const pauseInSweepMs = 250
const maxStarts = 5
const maxAttempts = 3
const stepDeadlineMs = 60_000
const stopGraceMs = 7_000

export type JobsOptions<J extends Job> = {
  readonly jobStore: JobStore<J>
  /** One short job may run in addition. */
  readonly concurrency: number
  readonly work: (run: JobRun<J>) => Promise<PartialResult>
  /** Ends a job that failed too often. Without it, such a job is retried without limit. */
  readonly giveUp?: (run: JobRun<J>, reason: 'crashed_worker' | 'internal') => Promise<PartialResult>
  /** Takes over a job whose state does not allow a normal lease, under `token`. */
  readonly adopt: (job: J, token: string) => Promise<J | undefined>
  readonly needsAdoption: (job: J) => boolean
  readonly clock: Clock
  readonly ids: Ids
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Logger
  readonly observe?: {
    job(outcome: 'done' | 'again' | 'failed' | 'lost'): void
    stage(name: string, seconds: number): void
  }
  /** Default: off. */
  readonly traced?: JobTracing
}

/** Never reported. Created once: an error records a stack, and a large file has a hundred thousand steps. */
const over = new Error('the step is over')

/**
 * Creates a pool of jobs. The store's records are the truth; messages and sweeps only say when to read them. Decides
 * retries and giving up for every kind of job (docs/architecture.md, "Jobs, leases, retries").
 */
export const createJobs = <J extends Job>(options: JobsOptions<J>) => {
  const { jobStore, clock, ids, log } = options
  const slots = createJobSlots(options.concurrency)
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const hardStop = new AbortController()
  let polling: Promise<void> | undefined
  let unhealthy = false
  let startedAt = clock.monotonic()

  const openRun = (job: J, lease: Lease, trace: JobTrace) => {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, hardStop.signal])
    const times: Record<string, number> = {}
    let progressed = false
    const run: JobRun<J> = {
      job,
      lease,
      signal,
      times,
      trace,
      log: log.child({ job: job.id, correlationId: job.correlationId }),
      progress: () => {
        progressed = true
      },
      step: async (name, call, { deadlineMs = stepDeadlineMs } = {}) => {
        const from = clock.monotonic()
        const ended = new AbortController()
        try {
          signal.throwIfAborted()
          const stop = AbortSignal.any([signal, ended.signal])
          const late = clock.delay(deadlineMs, stop).then(() => {
            if (ended.signal.aborted) throw over
            signal.throwIfAborted()
            throw new AppError('unavailable', `${name} took longer than ${deadlineMs} ms`)
          })
          late.catch(() => undefined)
          return await trace.step(name, () => Promise.race([retryUnavailable(clock, () => call(stop), signal), late]))
        } finally {
          ended.abort(over)
          const ms = clock.monotonic() - from
          times[name] = (times[name] ?? 0) + ms
          options.observe?.stage(name, ms / 1000)
        }
      },
    }
    const renewal = async () => {
      for (let renewedAt = clock.monotonic(); ; ) {
        await clock.delay(renewEveryMs, signal)
        if (signal.aborted) return
        try {
          const progress = progressed
          if (
            !(await within(
              clock,
              renewEveryMs,
              `renewing the lease took longer than ${renewEveryMs} ms`,
              jobStore.renew(lease, { progress }),
            ))
          )
            return abort.abort()
          if (progress) progressed = false
          renewedAt = clock.monotonic()
        } catch (error) {
          run.log.warn({ err: error }, 'lease renewal failed')
          if (clock.monotonic() - renewedAt < 2 * renewEveryMs) continue
          unhealthy = true
          return abort.abort()
        }
      }
    }
    void renewal()
    return { run, abort }
  }

  const putBack = async (lease: Lease, next: Parameters<JobStore<J>['requeue']>[1]) => {
    try {
      await retryUnavailable(clock, () => jobStore.requeue(lease, next))
    } catch (error) {
      // The lease expires and the sweep finds the job.
      log.warn({ job: lease.jobId, err: error }, 'job not requeued')
    }
  }

  const runJob = async (job: J, lease: Lease, trace: JobTrace) => {
    const { run, abort } = openRun(job, lease, trace)
    const from = clock.monotonic()
    const end = (outcome: 'done' | 'again' | 'failed' | 'lost', detail: object = {}) => {
      options.observe?.job(outcome)
      trace.set({ 'cairn.job.outcome': outcome })
      run.log[outcome === 'failed' ? 'error' : 'info'](
        { outcome, ms: Math.round(clock.monotonic() - from), ...detail },
        'job',
      )
    }
    try {
      const reason = job.starts > maxStarts ? 'crashed_worker' : job.attempts >= maxAttempts ? 'internal' : undefined
      const result = reason && options.giveUp ? await options.giveUp(run, reason) : await options.work(run)
      if (!result) return end('done')
      if ('fault' in result) {
        trace.fail(result.fault)
        return end('failed', { err: result.fault })
      }
      await putBack(lease, {
        delayMs: result.againMs,
        error: result.because,
        counted: false,
        waits: result.waits ?? false,
      })
      end('again', { because: result.because })
    } catch (error) {
      const delayMs = backoffMs(job.retries, options.random())
      if (hardStop.signal.aborted) {
        await putBack(lease, { delayMs: 0, error: null, counted: false, fresh: true })
        return end('again', { because: 'stopping' })
      }
      const { kind } = classify(error)
      if (abort.signal.aborted || kind === 'lost') return end('lost')
      const isTransient = kind === 'transient'
      await putBack(lease, {
        delayMs,
        error: error instanceof Error ? error.message : String(error),
        counted: !isTransient,
      })
      trace.fail(error)
      end(isTransient ? 'again' : 'failed', { err: error, delayMs })
    } finally {
      abort.abort()
    }
  }

  /** Resolves to false if the job could not be leased. */
  const start = async (found: { readonly id: string } | J, account: string, lane: Lane): Promise<boolean> => {
    const giveBack = slots.take(account, lane)
    try {
      const token = ids.next('lease')
      const isAbandoned = 'state' in found && options.needsAdoption(found)
      const job = await (isAbandoned ? options.adopt(found, token) : jobStore.lease(found.id, token))
      if (!job) {
        giveBack()
        return false
      }
      const done = traceJob(options.traced, job, clock.now(), (trace) =>
        runJob(job, { jobId: job.id, token }, trace),
      ).finally(() => {
        running.delete(done)
        giveBack()
        scheduler.slotFreed()
      })
      running.add(done)
      startedAt = clock.monotonic()
      return true
    } catch (error) {
      giveBack()
      throw error
    }
  }

  const scheduler = createScheduler<J>({ jobStore, slots, start, clock, log, stopping: stopping.signal })

  const pollForEver = async () => {
    for (let polls = 0; !stopping.signal.aborted; polls += 1) {
      if (polls % pollsPerSweep === 0) await scheduler.sweep()
      else if (slots.lanes().length > 0) await scheduler.wake()
      // Random, so that processes started together don't poll together.
      await clock.delay(pollEveryMs * (0.5 + options.random()), stopping.signal)
    }
  }

  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }

  return {
    /** Resolves when no more can be started now. */
    wake: async (): Promise<void> => void (await scheduler.wake()),
    /** Also starts abandoned jobs, as slots become free. Resolves when nothing more is due. */
    sweep: async (): Promise<void> => {
      while ((await scheduler.sweep()) === 'blocked')
        await Promise.race([...running, clock.delay(pauseInSweepMs, stopping.signal)])
    },
    idle,
    /** False when a lease could not be renewed in time: the process should end. */
    healthy: (): boolean => !unhealthy,
    free: slots.free,
    /** Counts the due jobs of all processes. */
    due: (): Promise<DueCount> => jobStore.dueCount(),
    /** Returns when a job was last started, or the pool created, by `Clock.monotonic`. */
    startedAt: (): number => startedAt,
    begin: (): void => {
      polling ??= pollForEver()
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      const chosen = scheduler.stop()
      await Promise.race([idle(), clock.delay(stopGraceMs)])
      hardStop.abort()
      await chosen
      await idle()
      await polling
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>
