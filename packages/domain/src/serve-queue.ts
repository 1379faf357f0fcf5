import type { Lane } from '@cairn/ports/metadata/port'
import { createTurnOrder } from './turn-order.ts'

/** Times are milliseconds from now; `leftMs` and `ms` are those of a job that runs alone. */
export type RunningWork = {
  readonly account: string
  readonly lane: Lane
  readonly bytes: number
  readonly leftMs: number
}
export type QueuedWork = {
  readonly id: string
  readonly account: string
  readonly namespace: string
  readonly lane: Lane
  readonly bytes: number
  readonly ms: number
  readonly dueInMs: number
}

/** Jobs that may run at once, of all processes; and how many of them may be long, or of one account. */
export type Slots = { readonly all: number; readonly long: number }

/** Queued jobs of one account: namespaces take turns, and within one the job that is due first. */
const createAccountQueue = () => {
  const byLane: Record<Lane, Map<string, QueuedWork[]>> = { short: new Map(), long: new Map() }
  let namespace = ''

  const firstIn = (lane: Lane, at: number): QueuedWork | undefined => {
    let next: QueuedWork | undefined
    let first: QueuedWork | undefined
    for (const [name, jobs] of byLane[lane]) {
      const [job] = jobs
      if (!job || job.dueInMs > at) continue
      if (!first || name < first.namespace) first = job
      if (name > namespace && (!next || name < next.namespace)) next = job
    }
    return next ?? first
  }

  return {
    add: (job: QueuedWork) => {
      const jobs = byLane[job.lane].get(job.namespace)
      if (jobs) jobs.push(job)
      else byLane[job.lane].set(job.namespace, [job])
    },
    /** The job that would be started now. */
    first: (lanes: readonly Lane[], at: number): QueuedWork | undefined => {
      const found = lanes.flatMap((lane) => firstIn(lane, at) ?? [])
      return found.toSorted((a, b) => a.dueInMs - b.dueInMs)[0]
    },
    take: (job: QueuedWork) => {
      const jobs = byLane[job.lane].get(job.namespace) ?? []
      jobs.shift()
      if (jobs.length === 0) byLane[job.lane].delete(job.namespace)
      namespace = job.namespace
    },
  }
}

/**
 * Returns when each queued job ends, in milliseconds from now, and when the next slot is free, if jobs are started in
 * the order in which the choosers of all processes together start them.
 */
export const serveQueue = (
  running: readonly RunningWork[],
  queued: readonly QueuedWork[],
  slots: Slots,
  /** See `Durations.sharing`. */
  sharing = 0,
): { readonly ends: ReadonlyMap<string, number>; readonly freeInMs: number } => {
  const order = createTurnOrder()
  const accounts = new Map<string, ReturnType<typeof createAccountQueue>>()
  for (const { account, bytes } of running) {
    order.add(account)
    order.charge(account, bytes)
  }
  for (const job of queued.toSorted((a, b) => a.dueInMs - b.dueInMs)) {
    const queue = accounts.get(job.account) ?? createAccountQueue()
    accounts.set(job.account, queue)
    queue.add(job)
    order.add(job.account)
  }
  let active = running.map(({ account, lane, leftMs }) => ({ account, lane, leftMs, id: '' }))
  const ends = new Map<string, number>()
  const dueTimes = [...new Set(queued.map(({ dueInMs }) => dueInMs))].sort((a, b) => a - b)
  let now = 0
  let started = 0

  const openLanes = (): Lane[] => {
    if (active.length >= slots.all) return []
    return active.filter(({ lane }) => lane === 'long').length < slots.long ? ['short', 'long'] : ['short']
  }
  const startOne = (): boolean => {
    const lanes = openLanes()
    if (lanes.length === 0) return false
    const isFree = (one: string) => active.filter(({ account }) => account === one).length < slots.long
    const account = order.next((one) => isFree(one) && accounts.get(one)?.first(lanes, now) !== undefined)
    const queue = account === undefined ? undefined : accounts.get(account)
    const job = queue?.first(lanes, now)
    if (!queue || !job) return false
    queue.take(job)
    order.charge(job.account, job.bytes)
    active.push({ account: job.account, lane: job.lane, leftMs: job.ms, id: job.id })
    started += 1
    return true
  }

  const slowness = () => active.length ** sharing
  const nextEndMs = () => Math.min(...active.map(({ leftMs }) => leftMs)) * slowness()
  const freeInMs = openLanes().length === 0 ? nextEndMs() : 0
  while (ends.size < queued.length) {
    if (started < queued.length && startOne()) continue
    const nextDueMs = (dueTimes.find((at) => at > now) ?? Number.POSITIVE_INFINITY) - now
    const passedMs = Math.max(0, Math.min(nextDueMs, nextEndMs()))
    if (!Number.isFinite(passedMs)) break
    const doneMs = passedMs / slowness()
    now += passedMs
    active = active.filter((job) => {
      job.leftMs -= doneMs
      // Rounding leaves a rest.
      if (job.leftMs > 1e-6) return true
      if (job.id !== '') ends.set(job.id, now)
      return false
    })
  }
  return { ends, freeInMs }
}
