import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../store.ts'
import { DueJobs } from './due-jobs.ts'
import type { JobSlots } from './job-slots.ts'
import type { Job, Lane } from './record.ts'

/** Rounds in which other processes took all candidates first, after which a pass ends. */
const maxMissed = 8
const maxAbandoned = 500

type SchedulerOptions<J extends Job> = {
  readonly jobStore: Pick<JobStore<J>, 'dueAccount' | 'dueOf' | 'abandoned'>
  readonly slots: JobSlots
  /** Leases the job and starts it. Returns false when the lease could not be taken. */
  readonly start: (job: { readonly id: string } | J, account: string, lane: Lane) => Promise<boolean>
  readonly clock: Pick<Clock, 'delay'>
  readonly log: { warn(fields: object, message: string): void }
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
}

/**
 * A pass that found due jobs but no free slot is followed by this pause. One pass serves all messages of this time: it
 * costs several reads, and an account with a full queue sends thousands of messages a second.
 */
const blockedPauseMs = 20

/** `none`: no job is due. `blocked`: due jobs have no slot or could not be read. */
export type Idle = 'none' | 'blocked'

/** Starts due jobs of a store while slots are free; accounts take turns. */
export class Scheduler<J extends Job> {
  readonly #options: SchedulerOptions<J>
  readonly #dueJobs: DueJobs
  #abandoned: readonly J[] = []
  #scheduling: Promise<Idle> | undefined
  #isRequested = false
  #mayBeMore = true
  #pause: AbortController | undefined

  constructor(options: SchedulerOptions<J>) {
    this.#options = options
    this.#dueJobs = new DueJobs(options.jobStore)
  }

  /** Resolves when no more jobs can be started now; never rejects. */
  async wake(): Promise<Idle> {
    if (this.#options.stopping.aborted) return 'none'
    this.#isRequested = true
    if (this.#pause) return 'blocked'
    this.#scheduling ??= this.#startAll()
    return this.#scheduling
  }

  /** Also starts abandoned jobs. */
  async sweep(): Promise<Idle> {
    const { jobStore, log } = this.#options
    try {
      this.#abandoned = await jobStore.abandoned(maxAbandoned)
    } catch (error) {
      log.warn({ err: error }, 'abandoned jobs could not be read')
    }
    return this.wake()
  }

  slotFreed(): void {
    this.#pause?.abort()
    this.#pause = undefined
    if (this.#mayBeMore) void this.wake()
  }

  /** Resolves when no start is in progress; abort `stopping` before. */
  async stop(): Promise<void> {
    await this.#scheduling
  }

  async #startAll(): Promise<Idle> {
    const { log, stopping } = this.#options
    let outcome: 'started' | Idle = 'blocked'
    try {
      do {
        this.#isRequested = false
        outcome = await this.#startNext()
        // A job may have been queued after this pass read the store.
      } while ((outcome === 'started' || (this.#isRequested && outcome === 'none')) && !stopping.aborted)
    } catch (error) {
      log.warn({ err: error }, 'scheduling a job failed')
    }
    this.#mayBeMore = outcome !== 'none'
    if (outcome === 'blocked') void this.#pauseMessages()
    // Reset in the same tick as the last check of `#isRequested`, so that a later call starts a new pass.
    this.#scheduling = undefined
    return outcome === 'none' ? 'none' : 'blocked'
  }

  async #startNext(): Promise<'started' | Idle> {
    const { slots, start } = this.#options
    if (await this.#startAbandoned()) return 'started'
    for (let missed = 0; missed < maxMissed; missed += 1) {
      const lanes = slots.lanes()
      const from = await this.#dueJobs.next(lanes, slots.isFreeFor)
      if (from === 'blocked') return from
      // Lanes without a free slot were not read.
      if (from === 'none') return lanes.length === 2 && this.#abandoned.length === 0 ? from : 'blocked'
      for (const job of from.jobs) {
        if (!(await start(job, from.account, from.lane))) continue
        this.#dueJobs.recordStarted(from, job)
        return 'started'
      }
      this.#dueJobs.recordMissed(from)
    }
    return 'blocked'
  }

  /** Called first, because these jobs have waited longest. */
  async #startAbandoned(): Promise<boolean> {
    const { slots, start } = this.#options
    for (const job of this.#abandoned) {
      const lane = job.lane ?? 'long'
      if (!slots.isFreeFor(job.accountId, lane)) continue
      this.#abandoned = this.#abandoned.filter((one) => one !== job)
      if (await start(job, job.accountId, lane)) return true
    }
    return false
  }

  async #pauseMessages(): Promise<void> {
    const own = new AbortController()
    this.#pause = own
    await this.#options.clock.delay(blockedPauseMs, AbortSignal.any([own.signal, this.#options.stopping]))
    if (this.#pause !== own) return
    this.#pause = undefined
    if (this.#isRequested) void this.wake()
  }
}
