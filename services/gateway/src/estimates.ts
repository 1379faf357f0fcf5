import { deletionBytesOf } from '@cairn/domain/items/record'
import { defaultBytes, type MeasuredJob } from '@cairn/domain/jobs/jobs'
import type { Job } from '@cairn/domain/jobs/record'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'

/** Collections of jobs, each a queue. */
type Queue = 'uploads' | 'files' | 'deletions'
type UnfinishedJob = MeasuredJob & Pick<Job, 'nextAttemptAt' | 'lane' | 'lease'> & { readonly stage?: string }
type Measured = { readonly job: MeasuredJob; readonly from: number; readonly to: number; readonly bytes: number }

/** Completed jobs read of a queue, and due jobs read of an account. */
const readJobs = { ended: 64, due: 1_000 }
/** Jobs count that ended in this time before the last one. */
const paceMs = 60_000
/** A read's result is used again for this long. */
const freshMs = 1_000
const maxReads = 1_000
/** Longest wait of a response for its estimate. */
const waitMs = 250
/** An estimate is always after the request. */
const minMs = 5
/** Least remaining share of a running job's expected time. */
const minShareLeft = 0.1

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Returns the kind: its jobs take about the same time per byte. */
const kindOf = ({ name, target }: MeasuredJob): string =>
  name?.slice(name.lastIndexOf('.') + 1).toLowerCase() ?? target ?? ''

const bytesOf = ({ bytes = defaultBytes, target, itemCount, removed, endedAt }: MeasuredJob): number => {
  if (target === undefined) return Math.max(1, bytes)
  if (endedAt) return deletionBytesOf(Math.max(1, (removed?.['items'] ?? 0) + (removed?.['chunks'] ?? 0)))
  return itemCount === undefined ? bytes : deletionBytesOf(Math.max(1, itemCount))
}

/** Returns the jobs of the minute before the last of them. */
const ofLastMinute = (measured: readonly Measured[]): readonly Measured[] => {
  const last = Math.max(...measured.map(({ to }) => to))
  return measured.filter(({ to }) => last - to < paceMs)
}

/** Uses the time per byte of the job's kind; of all kinds until its own was measured. */
const workMsOf = (job: MeasuredJob, measured: readonly Measured[]): number => {
  const own = measured.filter((one) => kindOf(one.job) === kindOf(job))
  const like = ofLastMinute(own.length > 0 ? own : measured)
  const times = like.map(({ from, to }) => to - from)
  return Math.max(Math.min(...times), (bytesOf(job) * sum(times)) / sum(like.map(({ bytes }) => bytes)))
}

/** Returns the time for one byte of the account's queue, without idle times. */
const msPerByte = (accountId: string, measured: readonly Measured[]): number => {
  const own = measured.filter(({ job }) => job.accountId === accountId)
  const ended = ofLastMinute(own.length > 0 ? own : measured)
  let [busyMs, until] = [0, Number.NEGATIVE_INFINITY]
  for (const { from, to } of ended.toSorted((a, b) => a.from - b.from)) {
    busyMs += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return busyMs / sum(ended.map(({ bytes }) => bytes))
}

/** Repeats a read, by name, once its result is a second old. */
const createReads = (clock: Clock) => {
  const reads = new Map<string, { readonly result: Promise<unknown>; until: number }>()
  return <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const known = reads.get(name)
    if (known && clock.monotonic() < known.until) return known.result as Promise<T>
    if (reads.size >= maxReads) reads.clear()
    const next = { result: read(), until: Number.POSITIVE_INFINITY }
    const isOver = () => {
      next.until = clock.monotonic() + freshMs
    }
    next.result.then(isOver, isOver)
    reads.set(name, next)
    return next.result
  }
}

/** Estimates the wall time at which work ends, roughly (docs/adr/0029); undefined: unknown. Never rejects. */
export const createEstimates = ({ store, clock }: { readonly store: Store; readonly clock: Clock }) => {
  const once = createReads(clock)

  const measuredOf = async (queue: Queue): Promise<Measured[]> =>
    (await store[queue].lastEnded(readJobs.ended)).flatMap((job) => {
      const { startedAt: from, endedAt: to } = job
      return from && to ? [{ job, from: Math.min(from, to - minMs), to, bytes: bytesOf(job) }] : []
    })

  const leftMsOf = async (queue: Queue, job: UnfinishedJob, done: number): Promise<number | undefined> => {
    const { accountId, lane, nextAttemptAt, startedAt } = job
    const [at, measured] = await Promise.all([store.now(), once(queue, () => measuredOf(queue))])
    if (measured.length === 0) return undefined
    const ms = workMsOf(job, measured)
    if (startedAt && (job.lease !== null || job.stage === 'indexing'))
      return Math.min((1 - done) * ms, Math.max(ms - (at - startedAt), minShareLeft * ms))
    const readDue = () => store[queue].dueOf(accountId, lane ?? 'long', '', readJobs.due)
    const due = await once(`${queue} ${lane} ${accountId}`, readDue)
    const before = sum(due.map((other) => (other.nextAttemptAt < nextAttemptAt ? other.bytes : 0)))
    return Math.max(before * msPerByte(accountId, measured), nextAttemptAt - at) + ms
  }

  return {
    /** `done`: part of a running job, 0 to 1. */
    endOf: async (queue: Queue, job: UnfinishedJob, done = 0): Promise<number | undefined> => {
      const isOver = new AbortController()
      const left = leftMsOf(queue, job, done).catch(() => undefined)
      const leftMs = await Promise.race([left, clock.delay(waitMs, isOver.signal).then(() => undefined)])
      isOver.abort()
      return leftMs === undefined ? undefined : clock.now() + leftMs
    },
  }
}

export type Estimates = ReturnType<typeof createEstimates>
