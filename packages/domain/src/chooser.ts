import type { JobStore, Lane } from '@cairn/ports/metadata/port'
import type { Job } from '@cairn/ports/metadata/records'
import { createDueJobs } from './due-jobs.ts'
import type { JobSlots } from './job-slots.ts'

/** Candidates that other processes took at the same moment, one after the other. */
const mostMissed = 8
const mostAbandoned = 500

export type ChooserOptions<J extends Job> = {
  readonly store: Pick<JobStore<J>, 'dueAccount' | 'dueOf' | 'abandoned'>
  readonly slots: JobSlots
  /** Takes the job under a lease and starts it in a slot of this account and lane; false when the lease can't be had. */
  readonly start: (job: { readonly id: string } | J, account: string, lane: Lane) => Promise<boolean>
  readonly log: { warn(fields: object, message: string): void }
  /** Aborted: nothing more is started. */
  readonly stopping: AbortSignal
}

/** Why nothing more is started: nothing is due, or what is due has no slot or could not be read. */
export type Idle = 'none' | 'blocked'

export type Chooser = {
  /** There may be due jobs: starts them while there are slots. Resolves when no more can be started now; rejects never. */
  wake(): Promise<Idle>
  /** Reads which jobs have been abandoned, then the same. */
  sweep(): Promise<Idle>
  /** A slot has become free. */
  slotFreed(): void
  /** Resolves when nothing is being started any more. `stopping` is aborted before. */
  stop(): Promise<void>
}

/** Starts due jobs of a store in the order of accounts for as long as there are slots, one at a time, whenever it is woken. */
export const createChooser = <J extends Job>({ store, slots, start, log, stopping }: ChooserOptions<J>): Chooser => {
  const dueJobs = createDueJobs(store)
  let abandoned: readonly J[] = []
  let choosing: Promise<Idle> | undefined
  let isAsked = false
  let mayBeMore = true

  /** Jobs of workers and requests that are gone come first: they have waited for long. */
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
    for (let missed = 0; missed < mostMissed; missed += 1) {
      const lanes = slots.lanes()
      const from = await dueJobs.next(lanes, slots.isFreeFor)
      if (from === 'blocked') return from
      // Of a lane without a free slot nothing is known.
      if (from === 'none') return lanes.length === 2 && abandoned.length === 0 ? from : 'blocked'
      for (const job of from.jobs) {
        if (!(await start(job, from.account, from.lane))) continue
        dueJobs.started(from, job)
        return 'started'
      }
      dueJobs.missed(from)
    }
    return 'blocked'
  }

  const startAll = async (): Promise<Idle> => {
    let outcome: Awaited<ReturnType<typeof startNext>> = 'blocked'
    try {
      do {
        isAsked = false
        outcome = await startNext()
        // Whoever has asked meanwhile may mean a job that was not there yet.
      } while ((outcome === 'started' || isAsked) && !stopping.aborted)
    } catch (error) {
      log.warn({ err: error }, 'choosing a job failed')
    }
    mayBeMore = outcome !== 'none'
    // In the same turn as the last look at `isAsked`: who asks from here on begins anew.
    choosing = undefined
    return outcome === 'none' ? 'none' : 'blocked'
  }

  const wake = async (): Promise<Idle> => {
    if (stopping.aborted) return 'none'
    isAsked = true
    choosing ??= startAll()
    return choosing
  }

  return {
    wake,
    sweep: async () => {
      try {
        abandoned = await store.abandoned(mostAbandoned)
      } catch (error) {
        log.warn({ err: error }, 'abandoned jobs could not be read')
      }
      return wake()
    },
    slotFreed: () => {
      if (mayBeMore) void wake()
    },
    stop: async () => void (await choosing),
  }
}
