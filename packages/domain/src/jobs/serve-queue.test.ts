import { expect, it } from 'vitest'
import { type QueuedWork, type RunningWork, serveQueue } from './serve-queue.ts'

let made = 0
const job = (account: string, ms: number, more: Partial<QueuedWork> = {}): QueuedWork => ({
  id: `job_${++made}`,
  account,
  namespace: `${account}_namespace`,
  lane: 'long',
  bytes: 100_000,
  ms,
  dueInMs: 0,
  ...more,
})
const running = (account: string, leftMs: number, lane: RunningWork['lane'] = 'long'): RunningWork => ({
  account,
  namespace: `${account}_namespace`,
  lane,
  bytes: 100_000,
  ms: 100,
  leftMs,
})
const endsOf = (queued: readonly QueuedWork[], slots: number, active: readonly RunningWork[] = []): number[] => {
  const { ends } = serveQueue(active, queued, { all: slots, long: slots })
  return queued.map(({ id }) => ends.get(id) ?? Number.NaN)
}

it('serves one job after the other in one slot, and side by side in two', () => {
  const queued = [job('a', 100), job('a', 200), job('a', 300)]
  expect(endsOf(queued, 1)).toEqual([100, 300, 600])
  expect(endsOf(queued, 2)).toEqual([100, 200, 400])
})

it('waits for the jobs that run', () => {
  expect(endsOf([job('a', 100)], 2, [running('b', 70), running('b', 50)])).toEqual([150])
})

it('lets accounts take turns: the queue of one delays another by one job, and that one sends another', () => {
  const many = [job('many', 100), job('many', 100), job('many', 100)]
  const one = job('one', 100)
  expect(endsOf([...many, one], 1)).toEqual([100, 300, 500, 200])
})

it('lets namespaces of an account take turns', () => {
  const queued = [
    job('a', 100, { namespace: 'n1' }),
    job('a', 100, { namespace: 'n1' }),
    job('a', 100, { namespace: 'n2' }),
  ]
  expect(endsOf(queued, 1)).toEqual([100, 300, 200])
})

it('starts no job before it is due', () => {
  expect(endsOf([job('a', 100, { dueInMs: 500 }), job('a', 100)], 1)).toEqual([600, 100])
})

it('keeps the last slot for short jobs', () => {
  const [long, short] = [job('a', 100), job('b', 10, { lane: 'short' })]
  const { ends, freeInMs } = serveQueue([running('c', 50)], [long, short], { all: 2, long: 1 })
  expect([ends.get(long.id), ends.get(short.id)]).toEqual([150, 10])
  expect(freeInMs).toBe(0)
})

it('tells when the next slot is free', () => {
  expect(serveQueue([running('a', 50), running('a', 80)], [], { all: 2, long: 2 }).freeInMs).toBe(50)
})

it('makes jobs that share a resource slower while more of them run', () => {
  const queued = [job('a', 100), job('b', 100), job('c', 100)]
  const { ends } = serveQueue([], queued, { all: 2, long: 2 }, 1)
  expect(queued.map(({ id }) => ends.get(id))).toEqual([200, 200, 400])
})

it('expects that the load stays as it is: jobs that end are followed by others like them', () => {
  const [first, last] = [job('a', 100), job('a', 100)]
  const active = [running('b', 100), running('b', 100)]
  const { ends } = serveQueue(active, [first, last], { all: 4, long: 4 }, 1)
  // Four jobs run at once throughout, although only these four are known.
  expect([ends.get(first.id), ends.get(last.id)]).toEqual([400, 400])
  const later = job('a', 100, { dueInMs: 200 })
  expect(serveQueue(active, [later], { all: 4, long: 4 }, 1).ends.get(later.id)).toBe(500)
})

it('takes a job that came meanwhile for what follows one that has ended', () => {
  const later = job('a', 100, { dueInMs: 200 })
  expect(serveQueue([running('a', 200)], [later], { all: 2, long: 2 }, 1, 1).ends.get(later.id)).toBe(300)
  expect(serveQueue([running('a', 200)], [later], { all: 2, long: 2 }, 1, 0).ends.get(later.id)).toBe(400)
})

it('serves a long job of an account that has no slot for it while short ones keep coming', () => {
  const active = [running('a', 40, 'short'), running('b', 50)]
  const long = job('a', 100)
  expect(serveQueue(active, [long], { all: 2, long: 1 }).ends.get(long.id)).toBeGreaterThan(100)
})

it('lets namespaces take turns in each lane', () => {
  const queued = [
    job('a', 100, { namespace: 'n1' }),
    job('a', 100, { namespace: 'n1', dueInMs: 50 }),
    job('a', 10, { namespace: 'n2', lane: 'short', dueInMs: 60 }),
    job('a', 100, { namespace: 'n2', dueInMs: 70 }),
  ]
  expect(endsOf(queued, 1)).toEqual([100, 310, 110, 210])
})
