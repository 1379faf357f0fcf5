import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/ports/clock/port'
import type { JobStore, Lane } from '@cairn/ports/metadata/port'
import type { Job } from '@cairn/ports/metadata/records'
import { createDueJobs } from './due-jobs.ts'
import type { JobSlots } from './job-slots.ts'
import type { Logger } from './logger.ts'

/** While jobs wait for slots that only others may have: the message of one of those may be behind messages that wait. */
const lookAgainMs = 250
/** Candidates that other processes took at the same moment, one after the other. */
const mostMissed = 8
const mostAbandoned = 500

export type ChooserOptions<J extends Job> = {
  readonly store: Pick<JobStore<J>, 'dueAccount' | 'dueOf' | 'abandoned'>
  readonly slots: JobSlots
  /** Takes the job under a lease and starts it in a slot of this account and lane; false when the lease can't be had. */
  readonly start: (job: { readonly id: string } | J, account: string, lane: Lane) => Promise<boolean>
  readonly clock: Pick<Clock, 'delay'>
  readonly log: Pick<Logger, 'warn'>
  /** Aborted: nothing more is started. */
  readonly stopping: AbortSignal
}

export type Chooser = {
  /**
   * Asks for due jobs to be started. Resolves to true when one more has been started since, to false when nothing is due; as long as jobs wait
   * for slots, so do calls, which are answered one for each job started. AppError `unavailable` when the store is, or the pool stops.
   */
  wake(): Promise<boolean>
  /** Calls of `wake` that are not answered. */
  waiting(): number
  /** A slot has become free. */
  slotFreed(): void
  /** Reads which jobs have been abandoned, and asks for due jobs; does not wait for their start. */
  look(): Promise<void>
  /** Rejects calls of `wake`; resolves when nothing is being started any more. `stopping` is aborted before. */
  stop(): Promise<void>
}

const ended = () => new AppError('unavailable', 'the process is stopping')

/** Starts due jobs of a store in the order of accounts for as long as there are slots, one at a time, whenever it is woken. */
export const createChooser = <J extends Job>({ store, slots, start, clock, log, stopping }: ChooserOptions<J>): Chooser => {
  const dueJobs = createDueJobs(store)
  const wakes: { readonly resolve: (isStarted: boolean) => void; readonly reject: (error: unknown) => void }[] = []
  let abandoned: readonly J[] = []
  let choosing: Promise<void> | undefined
  let isAsked = false
  let mayBeMore = true
  let looksAgain = false

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

  const lookAgain = async () => {
    looksAgain = true
    await clock.delay(lookAgainMs, stopping)
    looksAgain = false
    choose()
  }

  const startAll = async () => {
    let outcome: Awaited<ReturnType<typeof startNext>>
    do {
      isAsked = false
      const asked = wakes.length
      outcome = await startNext()
      if (outcome === 'started') wakes.shift()?.resolve(true)
      // Whoever has asked since may mean a job that was not there yet.
      if (outcome === 'none') for (const wake of wakes.splice(0, asked)) wake.resolve(false)
      mayBeMore = outcome !== 'none'
    } while ((outcome === 'started' || isAsked) && !stopping.aborted)
    if (outcome === 'blocked' && slots.lanes().length > 0 && wakes.length > 0 && !looksAgain) void lookAgain()
  }

  const choose = (): void => {
    if (stopping.aborted) return
    isAsked = true
    choosing ??= startAll()
      .catch((error: unknown) => {
        mayBeMore = true
        if (wakes.length === 0) log.warn({ err: error }, 'choosing a job failed')
        for (const wake of wakes.splice(0)) wake.reject(error)
      })
      .finally(() => {
        choosing = undefined
        if (isAsked) choose()
      })
  }

  return {
    wake: () =>
      new Promise((resolve, reject) => {
        if (stopping.aborted) return reject(ended())
        wakes.push({ resolve, reject })
        choose()
      }),
    waiting: () => wakes.length,
    slotFreed: () => {
      if (mayBeMore) choose()
    },
    look: async () => {
      try {
        abandoned = await store.abandoned(mostAbandoned)
      } finally {
        choose()
      }
    },
    stop: async () => {
      for (const wake of wakes.splice(0)) wake.reject(ended())
      await choosing
    },
  }
}
