import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../store.ts'
import { createDueJobs } from './due-jobs.ts'
import type { JobSlots } from './job-slots.ts'
import type { Job, Lane } from './record.ts'

/** Rounds in which other processes took all candidates first, after which a pass ends. */
const maxMissed = 8
const maxAbandoned = 500

export type SchedulerOptions<J extends Job> = {
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
export const createScheduler = <J extends Job>(options: SchedulerOptions<J>) => {
  const { jobStore, slots, start, clock, log, stopping } = options
  const dueJobs = createDueJobs(jobStore)
  let abandoned: readonly J[] = []
  let scheduling: Promise<Idle> | undefined
  let isRequested = false
  let mayBeMore = true
  let pause: AbortController | undefined

  /** Called first, because these jobs have waited longest. */
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
      log.warn({ err: error }, 'scheduling a job failed')
    }
    mayBeMore = outcome !== 'none'
    if (outcome === 'blocked') void pauseMessages()
    // Reset in the same tick as the last check of `isRequested`, so that a later call starts a new pass.
    scheduling = undefined
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
    scheduling ??= startAll()
    return scheduling
  }

  return {
    /** Resolves when no more jobs can be started now; never rejects. */
    wake,
    /** Also starts abandoned jobs. */
    sweep: async (): Promise<Idle> => {
      try {
        abandoned = await jobStore.abandoned(maxAbandoned)
      } catch (error) {
        log.warn({ err: error }, 'abandoned jobs could not be read')
      }
      return wake()
    },
    slotFreed: (): void => {
      pause?.abort()
      pause = undefined
      if (mayBeMore) void wake()
    },
    /** Resolves when no start is in progress; abort `stopping` before. */
    stop: async () => void (await scheduling),
  }
}
