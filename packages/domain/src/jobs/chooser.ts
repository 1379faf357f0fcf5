import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../store.ts'
import { createDueJobs } from './due-jobs.ts'
import type { JobSlots } from './job-slots.ts'
import type { Job, Lane } from './record.ts'

/** Rounds without success, because other processes took all candidates first, after which a pass ends. */
const maxMissed = 8
const maxAbandoned = 500

export type ChooserOptions<J extends Job> = {
  readonly jobStore: Pick<JobStore<J>, 'dueAccount' | 'dueOf' | 'abandoned'>
  readonly slots: JobSlots
  /**
   * Leases the job and starts it in a slot of this account and lane. Returns false when the lease could not be taken.
   */
  readonly start: (job: { readonly id: string } | J, account: string, lane: Lane) => Promise<boolean>
  readonly clock: Pick<Clock, 'delay'>
  readonly log: { warn(fields: object, message: string): void }
  /** Aborted when the process stops; no further job is started then. */
  readonly stopping: AbortSignal
}

/**
 * Pause after a pass that found due jobs but no free slot. One pass serves all messages of the pause: a pass costs
 * several reads of the store, and an account with a full queue sends thousands of messages a second.
 */
const blockedPauseMs = 20

/**
 * Reason why no more jobs are started. `none`: no job is due. `blocked`: the due jobs have no slot or could not be
 * read.
 */
export type Idle = 'none' | 'blocked'

/**
 * Starts the due jobs of a store one at a time, taking turns between accounts, while slots are free. Runs a pass
 * whenever it is woken.
 */
export const createChooser = <J extends Job>(options: ChooserOptions<J>) => {
  const { jobStore, slots, start, clock, log, stopping } = options
  const dueJobs = createDueJobs(jobStore)
  let abandoned: readonly J[] = []
  let choosing: Promise<Idle> | undefined
  let isRequested = false
  let mayBeMore = true
  let pause: AbortController | undefined

  /**
   * Starts an abandoned job, if a slot is free for one. Returns false if none was started. These jobs come first
   * because they have waited longest.
   */
  const startAbandoned = async (): Promise<boolean> => {
    for (const job of abandoned) {
      const lane = job.lane ?? 'long'
      if (!slots.isFreeFor(job.accountId, lane)) continue
      abandoned = abandoned.filter((one) => one !== job)
      if (await start(job, job.accountId, lane)) return true
    }
    return false
  }

  const startNext = async (): Promise<'started' | 'blocked' | 'none'> => {
    if (await startAbandoned()) return 'started'
    for (let missed = 0; missed < maxMissed; missed += 1) {
      const lanes = slots.lanes()
      const from = await dueJobs.next(lanes, slots.isFreeFor)
      if (from === 'blocked') return from
      // Lanes without a free slot were not read.
      if (from === 'none') return lanes.length === 2 && abandoned.length === 0 ? from : 'blocked'
      for (const job of from.jobs) {
        if (!(await start(job, from.account, from.lane))) continue
        dueJobs.recordStarted(from, job)
        return 'started'
      }
      dueJobs.recordMissed(from)
    }
    return 'blocked'
  }

  const startAll = async (): Promise<Idle> => {
    let outcome: Awaited<ReturnType<typeof startNext>> = 'blocked'
    try {
      do {
        isRequested = false
        outcome = await startNext()
        // A job may have been queued after this pass read the store.
      } while ((outcome === 'started' || (isRequested && outcome === 'none')) && !stopping.aborted)
    } catch (error) {
      log.warn({ err: error }, 'choosing a job failed')
    }
    mayBeMore = outcome !== 'none'
    if (outcome === 'blocked') void pauseMessages()
    // Reset in the same tick as the last check of `isRequested`, so that a later call starts a new pass.
    choosing = undefined
    return outcome === 'none' ? 'none' : 'blocked'
  }

  const pauseMessages = async (): Promise<void> => {
    const own = new AbortController()
    pause = own
    await clock.delay(blockedPauseMs, AbortSignal.any([own.signal, stopping]))
    if (pause !== own) return
    pause = undefined
    if (isRequested) void wake()
  }

  const wake = async (): Promise<Idle> => {
    if (stopping.aborted) return 'none'
    isRequested = true
    if (pause) return 'blocked'
    choosing ??= startAll()
    return choosing
  }

  return {
    /** Starts due jobs while there are free slots. Resolves when no more jobs can be started now; never rejects. */
    wake,
    /** Reads the abandoned jobs, then starts them and due jobs like `wake`. */
    sweep: async (): Promise<Idle> => {
      try {
        abandoned = await jobStore.abandoned(maxAbandoned)
      } catch (error) {
        log.warn({ err: error }, 'abandoned jobs could not be read')
      }
      return wake()
    },
    /** Reports that a slot has become free. */
    slotFreed: (): void => {
      pause?.abort()
      pause = undefined
      if (mayBeMore) void wake()
    },
    /** Resolves when no start is in progress. `stopping` must be aborted before. */
    stop: async () => void (await choosing),
  }
}
