import { AppError } from '@cairn/contracts/errors'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { Job, Lease } from '@cairn/domain/jobs/record'
import type { Clock } from '@cairn/domain/ports/clock'
import type { JobStore } from '@cairn/domain/store'
import type { Logger } from '../process/logger.ts'
import { retryUnavailable } from '../process/retry.ts'
import { within } from '../process/within.ts'
import type { JobTrace } from '../tracing/job-trace.ts'

const renewEveryMs = 10_000
const stepDeadlineMs = 60_000

/** Never reported. Created once: an error records a stack, and a large file has a hundred thousand steps. */
const over = new Error('the step is over')

type LeasedRunOptions<J extends Job> = {
  readonly jobStore: Pick<JobStore<J>, 'renew'>
  readonly clock: Clock
  readonly log: Logger
  readonly job: J
  readonly lease: Lease
  readonly trace: JobTrace
  readonly hardStop: AbortSignal
  readonly observeStep: (name: string, seconds: number) => void
  readonly onRenewalFailed: () => void
}

/** Runs the steps of a job and renews its lease, until it is closed or the lease is lost. */
export class LeasedRun<J extends Job> {
  readonly run: JobRun<J>
  readonly #options: LeasedRunOptions<J>
  readonly #abort = new AbortController()
  #progressed = false

  constructor(options: LeasedRunOptions<J>) {
    const { job, lease, trace, log, hardStop } = options
    this.#options = options
    this.run = {
      job,
      lease,
      signal: AbortSignal.any([this.#abort.signal, hardStop]),
      times: {},
      trace,
      log: log.child({ job: job.id, correlationId: job.correlationId }),
      progress: () => {
        this.#progressed = true
      },
      step: (name, call, { deadlineMs = stepDeadlineMs } = {}) => this.#step(name, call, deadlineMs),
    }
    void this.#keepLease()
  }

  get isClosed(): boolean {
    return this.#abort.signal.aborted
  }

  close(): void {
    this.#abort.abort()
  }

  async #step<T>(name: string, call: (signal: AbortSignal) => Promise<T>, deadlineMs: number): Promise<T> {
    const { clock, trace, observeStep } = this.#options
    const { signal, times } = this.run
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
      observeStep(name, ms / 1000)
    }
  }

  async #keepLease(): Promise<void> {
    const { clock, onRenewalFailed } = this.#options
    const { signal, log } = this.run
    for (let renewedAt = clock.monotonic(); ; ) {
      await clock.delay(renewEveryMs, signal)
      if (signal.aborted) return
      try {
        if (!(await this.#renew())) return this.close()
        renewedAt = clock.monotonic()
      } catch (error) {
        log.warn({ err: error }, 'lease renewal failed')
        if (clock.monotonic() - renewedAt < 2 * renewEveryMs) continue
        onRenewalFailed()
        return this.close()
      }
    }
  }

  /** Resolves to false when the lease is lost. */
  async #renew(): Promise<boolean> {
    const { jobStore, clock, lease } = this.#options
    const progress = this.#progressed
    const fault = `renewing the lease took longer than ${renewEveryMs} ms`
    const isRenewed = await within(clock, renewEveryMs, fault, jobStore.renew(lease, { progress }))
    if (isRenewed && progress) this.#progressed = false
    return isRenewed
  }
}
