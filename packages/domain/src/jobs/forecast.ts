import { deletionBytesOf } from '../items/record.ts'
import type { Backlog, BacklogJob } from './backlog.ts'
import { fitDurations, type JobSize } from './job-durations.ts'
import type { Lane } from './record.ts'
import { type QueuedWork, type Slots, serveQueue } from './serve-queue.ts'

/** Bytes assumed for jobs whose record has no size. */
const defaultBytes = 65_536
/** If a job has been due for this long while none is running, no process may be alive, so nothing is predicted. */
const stalledMs = 30_000
/** Time within which a process with a free slot finds a due job even if its message was lost. */
const foundWithinMs = 1_500
const recentMs = 60_000
/** A running job that has taken this many times as long as expected is used as a measurement of its time so far. */
const slow = 1.2
/** Minimum remaining share of the expected time of a running job. */
const minShareLeft = 0.1
/**
 * Limit of simulations: the queue is simulated again for a new job unless more than `jobs` jobs were simulated within
 * `withinMs`.
 */
const served = { jobs: 1_000, withinMs: 100 }

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const laneOf = ({ lane }: BacklogJob): Lane => lane ?? 'long'
const isFile = ({ name }: BacklogJob): boolean => name !== undefined

/** Returns the group of a job. Jobs of one group take about the same time per byte. */
const groupOf = ({ name, target, namespaceId }: BacklogJob): string => {
  if (name !== undefined) return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return target ?? namespaceId
}

const sizeOf = (job: BacklogJob): JobSize => {
  const { bytes = defaultBytes, object, target, itemCount, removed = {}, endedAt } = job
  const group = groupOf(job)
  if (object) return { group, bytes: object.sizeBytes }
  if (target === undefined) return { group, bytes }
  if (endedAt) return { group, bytes: deletionBytesOf((removed['items'] ?? 0) + (removed['chunks'] ?? 0)) }
  return { group, bytes: itemCount === undefined ? bytes : deletionBytesOf(itemCount) }
}

/** Returns how long a job held its slot. A file's job holds no slot while its chunks are being indexed. */
const slotMsOf = ({ startedAt, endedAt, times = {}, ...job }: BacklogJob): number | undefined => {
  if (typeof startedAt !== 'number' || typeof endedAt !== 'number') return undefined
  const { indexing: _, ...stages } = times
  return isFile(job) ? sum(Object.values(stages)) : endedAt - startedAt
}

const measuredOf = (ended: readonly BacklogJob[]) =>
  ended.flatMap((job) => {
    const ms = slotMsOf(job)
    return ms === undefined ? [] : [{ job, ...sizeOf(job), ms, endedAt: job.endedAt ?? 0 }]
  })

type Interval = { readonly account: string; readonly lane: Lane; readonly from: number; readonly to: number }

/** Returns how many intervals, itself included, overlap with this one on average. */
const concurrencyOf = (one: Interval, all: readonly Interval[]): number => {
  const length = Math.max(1, one.to - one.from)
  const shared = all
    .filter((other) => other !== one)
    .map(({ from, to }) => Math.min(to, one.to) - Math.max(from, one.from))
  return 1 + sum(shared.map((ms) => Math.max(0, ms))) / length
}

/** Returns the highest number of intervals that overlap at one time. */
const peakOf = (intervals: readonly Interval[]): number => {
  const changes = intervals.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ])
  let [current, peak] = [0, 0]
  for (const { by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    current += by
    peak = Math.max(peak, current)
  }
  return peak
}

/**
 * Returns the minimum number of slots that explains which jobs ran concurrently. One slot of each process is for short
 * jobs only, and no account can hold that slot and all others.
 */
const slotsOf = (ran: readonly Interval[]): Slots => {
  const ofOneAccount = [...Map.groupBy(ran, ({ account }) => account).values()].map(peakOf)
  const long = Math.max(1, peakOf(ran.filter(({ lane }) => lane === 'long')), ...ofOneAccount)
  return { all: Math.max(peakOf(ran), long + 1), long }
}

/** Estimates when jobs end, from the queued and running work and from the durations of the last jobs. */
export const createForecast = (backlog: Backlog) => {
  const { at: readAt, queued, unread } = backlog
  // Left out: uploads of vectors, which are indexed within their request and have no `startedAt`, and files whose
  // chunks are being indexed, which need only a moment more.
  const running = backlog.running.filter(
    ({ lease, startedAt }) => typeof startedAt === 'number' && (lease?.until ?? 0) > readAt,
  )
  const waiting = queued.filter(({ stage }) => stage !== 'indexing')
  const ran = (job: BacklogJob, ms: number, to: number): Interval => ({
    account: job.accountId,
    lane: laneOf(job),
    from: to - ms,
    to,
  })
  const ended = measuredOf(backlog.ended).map((one) => ({ ...one, ran: ran(one.job, one.ms, one.endedAt) }))
  const now = running.map((job) => ({ job, ran: ran(job, readAt - (job.startedAt ?? readAt), readAt) }))
  const intervals = [...ended, ...now].map((one) => one.ran)
  const measured = ended.map((one) => ({ ...one, concurrency: concurrencyOf(one.ran, intervals) }))
  /** Returns the milliseconds that a running job would have needed so far if it had run alone. */
  const doneAlone = (one: (typeof now)[number], sharing: number) =>
    (one.ran.to - one.ran.from) / concurrencyOf(one.ran, intervals) ** sharing
  const indexing = fitDurations(
    backlog.ended.flatMap((job) =>
      isFile(job) && job.endedAt
        ? [{ ...sizeOf(job), ms: job.times?.['indexing'] ?? 0, endedAt: job.endedAt, concurrency: 1 }]
        : [],
    ),
  )
  const first = fitDurations(measured)
  const late = now.flatMap((one) => {
    const size = sizeOf(one.job)
    if (!first || isFile(one.job) || doneAlone(one, first.sharing) <= slow * first.alone(size)) return []
    return [{ ...size, ms: one.ran.to - one.ran.from, endedAt: readAt, concurrency: concurrencyOf(one.ran, intervals) }]
  })
  const durations = fitDurations([...measured, ...late])
  const sharing = durations?.sharing ?? 0
  const dueSince = Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt))
  const isStalled = running.length === 0 && readAt - dueSince > stalledMs

  const aloneOf = (job: BacklogJob): number => durations?.alone(sizeOf(job)) ?? 0
  /** Returns the remaining time of a running job, as if it ran alone. */
  const leftOf = (job: BacklogJob, doneMs: number, done = 0): number => {
    const totalMs = Math.max(aloneOf(job), doneMs)
    return Math.min((1 - done) * totalMs, Math.max(aloneOf(job) - doneMs, minShareLeft * totalMs))
  }
  const concurrency = Math.max(1, running.length)
  const workOf = (job: BacklogJob): QueuedWork => ({
    id: job.id,
    account: job.accountId,
    namespace: job.namespaceId,
    lane: laneOf(job),
    bytes: job.bytes ?? defaultBytes,
    ms: aloneOf(job),
    dueInMs: job.nextAttemptAt - readAt,
  })

  // If jobs have waited longer than a process takes to find them, all slots of the present processes are taken.
  // Otherwise there may be as many slots as were used at any time.
  const isWaited = waiting.some(({ nextAttemptAt }) => readAt - nextAttemptAt > foundWithinMs)
  const slots = slotsOf([
    ...measured.filter(({ endedAt }) => !isWaited || readAt - endedAt < recentMs).map((one) => one.ran),
    ...now.map((one) => one.ran),
  ])
  const active = now.map((one) => ({ ...workOf(one.job), leftMs: leftOf(one.job, doneAlone(one, sharing)) }))
  const work = waiting.map(workOf)
  let ends: ReadonlyMap<string, number> = new Map()
  let freeInMs = 0
  let window = { from: Number.NEGATIVE_INFINITY, jobs: 0 }
  let newcomers = 0
  /** Times at which the last job of each account is started. */
  const tails = new Map<string, number>()
  /** Estimated ends of jobs that are newer than the backlog. */
  const guessed = new Map<string, number>()

  const serve = (at: number) => {
    ;({ ends, freeInMs } = serveQueue(active, work, slots, sharing, work.length - waiting.length))
    if (at - window.from >= served.withinMs) window = { from: at, jobs: 0 }
    window.jobs += work.length
    newcomers = 0
    tails.clear()
    guessed.clear()
    for (const { id, account, ms } of work)
      tails.set(account, Math.max(tails.get(account) ?? 0, (ends.get(id) ?? ms) - ms))
  }

  /**
   * Returns the number of unread jobs per job that was read. Unread jobs are assumed to belong to the same accounts.
   */
  const beyond = (job: BacklogJob): number => {
    const last = waiting.at(-1)?.nextAttemptAt ?? readAt
    const part = readAt > last ? Math.min(1, Math.max(0, (job.nextAttemptAt - last) / (readAt - last))) : 1
    return (part * unread) / Math.max(1, waiting.length)
  }

  /** Returns the estimated end of a job that the backlog lacks, in milliseconds after `readAt`. */
  const endOfUnknown = (job: BacklogJob, at: number): number => {
    const own = workOf(job)
    const tail = tails.get(job.accountId)
    const isServed = at - window.from >= served.withinMs || window.jobs + work.length < served.jobs
    if (isServed || work.length < served.jobs) work.push(own)
    if (isServed) {
      serve(at)
      const end = ends.get(job.id) ?? 0
      return tail === undefined ? end : end * (1 + beyond(job))
    }
    // Until the next simulation, the job is added to the end of its account's queue, or to the jobs of new accounts.
    const share = own.ms / slots.all
    const start = tail === undefined ? freeInMs + newcomers * share : tail + Math.max(1, tails.size) * share
    if (tail === undefined) newcomers += 1
    else tails.set(job.accountId, start)
    return (Math.max(at - readAt, start) + own.ms) * (tail === undefined ? 1 : 1 + beyond(job))
  }

  /**
   * Returns when the job is expected to end, in store time; undefined when nothing is known. `at`: store time, not
   * before that of the backlog. `done`: the part of a running job that is done, 0 to 1. A queued job that the backlog
   * lacks is assumed to be new; later estimates include it.
   */
  const endOf = (asked: BacklogJob, at: number, done?: number): number | undefined => {
    if (!durations || isStalled) return undefined
    // The job may have been started between the caller's read and this one.
    const job = running.find(({ id }) => id === asked.id) ?? asked
    if (job.lease !== null && typeof job.startedAt === 'number') {
      const elapsed = Math.max(0, at - job.startedAt)
      return at + leftOf(job, elapsed / concurrency ** sharing, done) * concurrency ** sharing
    }
    if (window.from === Number.NEGATIVE_INFINITY) serve(readAt)
    const inMs = ends.get(job.id) ?? guessed.get(job.id) ?? endOfUnknown(job, at)
    guessed.set(job.id, inMs)
    const ms = aloneOf(job)
    return Math.max(readAt + inMs, at + ms, job.nextAttemptAt + ms)
  }

  return {
    endOf,
    /** Like `endOf`, for the last job of the backlog whose id has this prefix; undefined if no id has it. */
    endOfLast: (prefix: string, at: number): number | undefined => {
      const found = [...running, ...waiting].filter(({ id }) => id.startsWith(prefix))
      const known = found.map((job) => endOf(job, at)).filter((end) => end !== undefined)
      return known.length === 0 ? undefined : Math.max(...known)
    },
    /**
     * Returns how long a file of this size waits for its chunks to be indexed, without holding a slot, in milliseconds.
     */
    indexingOf: (file: BacklogJob): number => indexing?.alone(sizeOf(file)) ?? 0,
  }
}

export type Forecast = ReturnType<typeof createForecast>
