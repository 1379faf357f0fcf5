import type { Lane } from './record.ts'
import { createTurnOrder } from './turn-order.ts'

/** A job. Times are milliseconds from now; `leftMs` and `ms` are the durations when the job runs alone. */
type Work = {
  readonly account: string
  readonly namespace: string
  readonly lane: Lane
  readonly bytes: number
  readonly ms: number
}
export type RunningWork = Work & { readonly leftMs: number }
export type QueuedWork = Work & { readonly id: string; readonly dueInMs: number }
/** A running job; has an `id` only if it is one of the queued jobs. */
type Served = Work & { readonly id?: string | undefined }
type Waiting = Served & { readonly dueInMs: number }

/**
 * Number of jobs that may run at once, across all processes; and how many of them may be long, or belong to one
 * account.
 */
export type Slots = { readonly all: number; readonly long: number }

/**
 * Creates the queue of one account: namespaces take turns, and within a namespace the job that is due first comes
 * first.
 */
const createAccountQueue = () => {
  const byLane: Record<Lane, Map<string, Waiting[]>> = { short: new Map(), long: new Map() }
  const last: Record<Lane, string> = { short: '', long: '' }

  const firstIn = (lane: Lane, at: number): Waiting | undefined => {
    let next: Waiting | undefined
    let first: Waiting | undefined
    for (const [name, jobs] of byLane[lane]) {
      const [job] = jobs
      if (!job || job.dueInMs > at) continue
      if (!first || name < first.namespace) first = job
      if (name > last[lane] && (!next || name < next.namespace)) next = job
    }
    return next ?? first
  }

  return {
    add: (job: Waiting) => {
      const jobs = byLane[job.lane].get(job.namespace)
      if (jobs) jobs.push(job)
      else byLane[job.lane].set(job.namespace, [job])
    },
    /** Returns the job that would be started at the time `at`; undefined if none is due. */
    first: (lanes: readonly Lane[], at: number): Waiting | undefined => {
      const found = lanes.flatMap((lane) => firstIn(lane, at) ?? [])
      return found.toSorted((a, b) => a.dueInMs - b.dueInMs)[0]
    },
    take: (job: Waiting) => {
      const jobs = byLane[job.lane].get(job.namespace) ?? []
      jobs.shift()
      if (jobs.length === 0) byLane[job.lane].delete(job.namespace)
      last[job.lane] = job.namespace
    },
  }
}

/** Cap on simulated arrivals per known job. */
const maxArrivals = 4

/**
 * Returns when each queued job ends and when the next slot is free, both in milliseconds from now. Simulates the start
 * order of the choosers of all processes, and a constant load: each job that ends is followed by a similar job.
 */
export const serveQueue = (
  running: readonly RunningWork[],
  queued: readonly QueuedWork[],
  slots: Slots,
  /** See `Durations.sharing`. */
  sharing = 0,
  /**
   * Number of queued jobs that are newer than the list of running jobs: they count as followers of the first jobs that
   * end.
   */
  came = 0,
): { readonly ends: ReadonlyMap<string, number>; readonly freeInMs: number } => {
  const order = createTurnOrder()
  const accounts = new Map<string, ReturnType<typeof createAccountQueue>>()
  for (const { account, bytes } of running) {
    order.add(account)
    order.charge(account, bytes)
  }
  const addWaiting = (job: Waiting) => {
    const queue = accounts.get(job.account) ?? createAccountQueue()
    accounts.set(job.account, queue)
    queue.add(job)
    order.add(job.account)
  }
  for (const job of queued.toSorted((a, b) => a.dueInMs - b.dueInMs)) addWaiting(job)
  let active: { readonly job: Served; leftMs: number }[] = running.map(({ leftMs, ...job }) => ({
    job: { ...job, id: undefined },
    leftMs,
  }))
  const ends = new Map<string, number>()
  const dueTimes = [...new Set(queued.map(({ dueInMs }) => dueInMs))].sort((a, b) => a - b)
  let now = 0
  let waiting = queued.length
  let followed = -came

  const openLanes = (): Lane[] => {
    if (active.length >= slots.all) return []
    return active.filter(({ job }) => job.lane === 'long').length < slots.long ? ['short', 'long'] : ['short']
  }
  const startOne = (): boolean => {
    const lanes = openLanes()
    if (lanes.length === 0) return false
    const isFree = (one: string) => active.filter(({ job }) => job.account === one).length < slots.long
    const account = order.next((one) => isFree(one) && accounts.get(one)?.first(lanes, now) !== undefined)
    const queue = account === undefined ? undefined : accounts.get(account)
    const job = queue?.first(lanes, now)
    if (!queue || !job) return false
    queue.take(job)
    order.charge(job.account, job.bytes)
    active.push({ job, leftMs: job.ms })
    waiting -= 1
    return true
  }

  const slowness = () => active.length ** sharing
  const nextEndMs = () => Math.min(...active.map(({ leftMs }) => leftMs)) * slowness()
  const freeInMs = openLanes().length === 0 ? nextEndMs() : 0
  while (ends.size < queued.length) {
    if (waiting > 0 && startOne()) continue
    const nextDueMs = (dueTimes.find((at) => at > now) ?? Number.POSITIVE_INFINITY) - now
    const passedMs = Math.max(0, Math.min(nextDueMs, nextEndMs()))
    if (!Number.isFinite(passedMs)) break
    const doneMs = passedMs / slowness()
    now += passedMs
    for (const one of active) one.leftMs -= doneMs
    // Rounding leaves a small remainder.
    const ended = active.filter(({ leftMs }) => leftMs <= 1e-6)
    active = active.filter(({ leftMs }) => leftMs > 1e-6)
    for (const { job } of ended) {
      if (job.id !== undefined) ends.set(job.id, now)
      followed += 1
      // Arrivals are capped, since a long job may get no slot while other jobs keep arriving.
      if (followed <= 0 || followed > maxArrivals * (running.length + queued.length)) continue
      const { account, namespace, lane, bytes, ms } = job
      addWaiting({ account, namespace, lane, bytes, ms, dueInMs: now })
      waiting += 1
    }
  }
  return { ends, freeInMs }
}
