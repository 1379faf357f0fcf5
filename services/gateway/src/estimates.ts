import type { FileRecord } from '@cairn/domain/files/record'
import type { Backlog, BacklogJob } from '@cairn/domain/jobs/backlog'
import { createForecast, type Forecast } from '@cairn/domain/jobs/forecast'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'

/** The collections of jobs, each with its own queue. */
type Queue = 'uploads' | 'files' | 'deletions'

/** Minimum pause between two reads of a queue, and maximum share of time that is spent on reads. */
const readEveryMs = 1_000
const readShare = 0.05
/** Maximum age of a backlog that is used while the next read is in progress. */
const oldestMs = 5_000
/** Maximum time that a response waits for its estimate. */
const waitMs = 250

const doneOf = ({ progress: { page, pages, bytes }, object }: FileRecord): number => {
  if (page !== undefined && pages) return Math.min(1, page / pages)
  return bytes === undefined || object.sizeBytes === 0 ? 0 : Math.min(1, bytes / object.sizeBytes)
}

type Reading = { readonly forecast: Forecast; readonly at: number; readonly freshUntil: number }

/**
 * Creates the estimates of a process: when work is expected to end, in wall time; undefined when no estimate is known.
 * Estimates never reject. While there are requests for estimates, each queue is read about once a second.
 */
export const createEstimates = ({ store, clock }: { readonly store: Store; readonly clock: Clock }) => {
  const readings = new Map<Queue, Reading>()
  const reading = new Map<Queue, Promise<void>>()

  const read = async (queue: Queue): Promise<void> => {
    const from = clock.monotonic()
    try {
      const backlog: Backlog = await store[queue].backlog()
      const at = clock.monotonic()
      const freshUntil = at + Math.max(readEveryMs, (at - from) / readShare)
      readings.set(queue, { forecast: createForecast(backlog), at, freshUntil })
    } catch {
      // The store is unavailable, which other calls report; no estimate is known then.
      readings.delete(queue)
    } finally {
      reading.delete(queue)
    }
  }

  const forecastOf = async (queue: Queue): Promise<Forecast | undefined> => {
    const last = readings.get(queue)
    const now = clock.monotonic()
    if (last && now < last.freshUntil) return last.forecast
    const underWay = reading.get(queue)
    if (underWay && last && now - last.at < oldestMs) return last.forecast
    const next = underWay ?? read(queue)
    reading.set(queue, next)
    const isOver = new AbortController()
    await Promise.race([next, clock.delay(waitMs, isOver.signal)])
    isOver.abort()
    return readings.get(queue)?.forecast
  }

  const endOf = async (
    queue: Queue,
    find: (forecast: Forecast, at: number) => Promise<number | undefined> | number | undefined,
  ): Promise<number | undefined> => {
    try {
      const forecast = await forecastOf(queue)
      if (!forecast) return undefined
      const at = await store.now()
      const end = await find(forecast, at)
      // The forecast returns store time; clients expect wall time.
      return end === undefined ? undefined : clock.now() + Math.max(0, end - at)
    } catch {
      return undefined
    }
  }

  return {
    /** `done`: the part of a running job that is done, 0 to 1. */
    endOf: (queue: Queue, job: BacklogJob, done?: number): Promise<number | undefined> =>
      endOf(queue, (forecast, at) => forecast.endOf(job, at, done)),
    /** Returns when a file is expected to be done, including the time for which its chunks are indexed. */
    endOfFile: (file: FileRecord): Promise<number | undefined> =>
      endOf('files', async (forecast, at) => {
        if (file.stage === 'indexing') {
          const index = await forecastOf('uploads')
          return index?.endOfLast(`${file.version}-`, at)
        }
        const end = forecast.endOf(file, at, doneOf(file))
        return end === undefined ? undefined : end + forecast.indexingOf(file)
      }),
  }
}

export type Estimates = ReturnType<typeof createEstimates>
