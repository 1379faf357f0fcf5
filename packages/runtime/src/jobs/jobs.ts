import type { Ids } from '@cairn/domain/ids'
import { classify } from '@cairn/domain/jobs/job-error'
import type { JobRun, PartialResult } from '@cairn/domain/jobs/job-run'
import { createJobSlots, type JobSlots } from '@cairn/domain/jobs/job-slots'
import type { DueCount } from '@cairn/domain/jobs/jobs'
import type { Job, Lane, Lease } from '@cairn/domain/jobs/record'
import { Scheduler } from '@cairn/domain/jobs/scheduler'
import type { Clock } from '@cairn/domain/ports/clock'
import type { JobStore } from '@cairn/domain/store'
import type { Logger } from '../process/logger.ts'
import { backoffMs, retryUnavailable } from '../process/retry.ts'
import { type JobTrace, type JobTracing, traceJob } from '../tracing/job-trace.ts'
import { LeasedRun } from './leased-run.ts'

/** Plus or minus a random half. Finds jobs whose message was lost or met no free slot. */
const pollEveryMs = 1_000
/** Between sweeps for abandoned jobs, which have already waited for half a minute. */
const pollsPerSweep = 5
const pauseInSweepMs = 250
const maxStarts = 5
const maxAttempts = 3
const stopGraceMs = 7_000

type Outcome = 'done' | 'again' | 'failed' | 'lost'

export type JobsOptions<J extends Job> = {
  readonly jobStore: JobStore<J>
  /** One short job may run in addition. */
  readonly concurrency: number
  readonly work: (run: JobRun<J>) => Promise<PartialResult>
  /** Ends a job that failed too often. Without it, such a job is retried without limit. */
  readonly fail?: (run: JobRun<J>, reason: 'crashed_worker' | 'internal') => Promise<PartialResult>
  /** Takes over a job whose state does not allow a normal lease, under `token`. */
  readonly takeOver: (job: J, token: string) => Promise<J | undefined>
  readonly needsTakingOver: (job: J) => boolean
  readonly clock: Clock
  readonly ids: Ids
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Logger
  readonly observe?: {
    job(outcome: Outcome): void
    stage(name: string, seconds: number): void
  }
  /** Default: off. */
  readonly traced?: JobTracing
}

/**
 * Runs due jobs in slots. The store's records are the truth; messages and sweeps only say when to read them. Decides retries and
 * giving up for every kind of job (docs/architecture.md, "Jobs, leases, retries"). Public methods are properties, because
 * callers pass them on without the pool.
 */
class JobPool<J extends Job> {
  readonly #options: JobsOptions<J>
  readonly #slots: JobSlots
  readonly #scheduler: Scheduler<J>
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #hardStop = new AbortController()
  #polling: Promise<void> | undefined
  #unhealthy = false
  #startedAt: number

  constructor(options: JobsOptions<J>) {
    const { jobStore, clock, log } = options
    this.#options = options
    this.#slots = createJobSlots(options.concurrency)
    this.#startedAt = clock.monotonic()
    this.#scheduler = new Scheduler({
      ...{ jobStore, clock, log, slots: this.#slots, stopping: this.#stopping.signal },
      start: (found, account, lane) => this.#start(found, account, lane),
    })
  }

  /** Resolves when no more can be started now. */
  wake = async (): Promise<void> => void (await this.#scheduler.wake())

  /** Also starts abandoned jobs, as slots become free. Resolves when nothing more is due. */
  sweep = async (): Promise<void> => {
    while ((await this.#scheduler.sweep()) === 'blocked')
      await Promise.race([...this.#running, this.#options.clock.delay(pauseInSweepMs, this.#stopping.signal)])
  }

  idle = async (): Promise<void> => {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** False when a lease could not be renewed in time: the process should end. */
  healthy = (): boolean => !this.#unhealthy

  free = (): number => this.#slots.free()

  /** Counts the due jobs of all processes. */
  due = (): Promise<DueCount> => this.#options.jobStore.dueCount()

  /** Returns when a job was last started, or the pool created, by `Clock.monotonic`. */
  startedAt = (): number => this.#startedAt

  begin = (): void => {
    this.#polling ??= this.#poll()
  }

  stop = async (): Promise<void> => {
    this.#stopping.abort()
    const scheduled = this.#scheduler.stop()
    await Promise.race([this.idle(), this.#options.clock.delay(stopGraceMs)])
    this.#hardStop.abort()
    await scheduled
    await this.idle()
    await this.#polling
  }

  async #poll(): Promise<void> {
    const { clock, random } = this.#options
    for (let polls = 0; !this.#stopping.signal.aborted; polls += 1) {
      if (polls % pollsPerSweep === 0) await this.#scheduler.sweep()
      else if (this.#slots.lanes().length > 0) await this.#scheduler.wake()
      // Random, so that processes started together don't poll together.
      await clock.delay(pollEveryMs * (0.5 + random()), this.#stopping.signal)
    }
  }

  /** Resolves to false if the job could not be leased. */
  async #start(found: { readonly id: string } | J, account: string, lane: Lane): Promise<boolean> {
    const { jobStore, clock, ids, needsTakingOver, takeOver, traced } = this.#options
    const giveBack = this.#slots.take(account, lane)
    try {
      const token = ids.next('lease')
      const isAbandoned = 'state' in found && needsTakingOver(found)
      const job = await (isAbandoned ? takeOver(found, token) : jobStore.lease(found.id, token))
      if (!job) {
        giveBack()
        return false
      }
      const done = traceJob(traced, job, clock.now(), (trace) => this.#run(job, token, trace)).finally(() => {
        this.#running.delete(done)
        giveBack()
        this.#scheduler.slotFreed()
      })
      this.#running.add(done)
      this.#startedAt = clock.monotonic()
      return true
    } catch (error) {
      giveBack()
      throw error
    }
  }

  async #run(job: J, token: string, trace: JobTrace): Promise<void> {
    const { jobStore, clock, log, observe } = this.#options
    const leased = new LeasedRun({
      ...{ jobStore, clock, log, job, lease: { jobId: job.id, token }, trace, hardStop: this.#hardStop.signal },
      observeStep: (name, seconds) => observe?.stage(name, seconds),
      onRenewalFailed: () => {
        this.#unhealthy = true
      },
    })
    const from = clock.monotonic()
    const end = (outcome: Outcome, detail: object = {}) => {
      observe?.job(outcome)
      trace.set({ 'cairn.job.outcome': outcome })
      const ms = Math.round(clock.monotonic() - from)
      leased.run.log[outcome === 'failed' ? 'error' : 'info']({ outcome, ms, ...detail }, 'job')
    }
    try {
      const result = await this.#work(leased.run)
      if (!result) return end('done')
      if ('fault' in result) {
        trace.fail(result.fault)
        return end('failed', { err: result.fault })
      }
      const { againMs: delayMs, because, waits = false } = result
      await this.#putBack(leased.run.lease, { delayMs, error: because, counted: false, waits })
      end('again', { because })
    } catch (error) {
      await this.#afterError(leased, trace, error, end)
    } finally {
      leased.close()
    }
  }

  async #work(run: JobRun<J>): Promise<PartialResult> {
    const { fail, work } = this.#options
    const { starts, attempts } = run.job
    const reason = starts > maxStarts ? 'crashed_worker' : attempts >= maxAttempts ? 'internal' : undefined
    return reason && fail ? fail(run, reason) : work(run)
  }

  async #afterError(
    { run, isClosed }: LeasedRun<J>,
    trace: JobTrace,
    error: unknown,
    end: (outcome: Outcome, detail?: object) => void,
  ): Promise<void> {
    const delayMs = backoffMs(run.job.retries, this.#options.random())
    if (this.#hardStop.signal.aborted) {
      await this.#putBack(run.lease, { delayMs: 0, error: null, counted: false, fresh: true })
      return end('again', { because: 'stopping' })
    }
    const { kind } = classify(error)
    if (isClosed || kind === 'lost') return end('lost')
    const isTransient = kind === 'transient'
    const message = error instanceof Error ? error.message : String(error)
    await this.#putBack(run.lease, { delayMs, error: message, counted: !isTransient })
    trace.fail(error)
    end(isTransient ? 'again' : 'failed', { err: error, delayMs })
  }

  async #putBack(lease: Lease, next: Parameters<JobStore<J>['requeue']>[1]): Promise<void> {
    const { jobStore, clock, log } = this.#options
    try {
      await retryUnavailable(clock, () => jobStore.requeue(lease, next))
    } catch (error) {
      // The lease expires and the sweep finds the job.
      log.warn({ job: lease.jobId, err: error }, 'job not requeued')
    }
  }
}

export type Jobs = { readonly [N in keyof JobPool<Job>]: JobPool<Job>[N] }

export const createJobs = <J extends Job>(options: JobsOptions<J>): Jobs => new JobPool(options)
