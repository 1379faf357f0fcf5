import { describe, expect, it } from 'vitest'
import type { Backlog, BacklogJob } from './backlog.ts'
import { createForecast } from './forecast.ts'

const at = 1_000_000
let made = 0
const job = (more: Partial<BacklogJob> = {}): BacklogJob => ({
  id: `job_${++made}`,
  accountId: 'a',
  namespaceId: 'n',
  bytes: 1_000,
  lane: null,
  nextAttemptAt: at,
  lease: null,
  ...more,
})
const ended = (ms: number, more: Partial<BacklogJob> = {}): BacklogJob =>
  job({ startedAt: at - 10_000 - ms, endedAt: at - 10_000, ...more })
const running = (forMs: number, more: Partial<BacklogJob> = {}): BacklogJob =>
  job({ startedAt: at - forMs, lease: { token: 't', until: at + 30_000 }, ...more })
const forecast = (more: Partial<Backlog>) =>
  createForecast({ at, ended: [ended(1_000)], running: [], queued: [], unread: 0, ...more })

describe('the expected end of a job', () => {
  it('is unknown until a job of its kind was completed', () => {
    expect(forecast({ ended: [] }).endOf(job(), at)).toBeUndefined()
    // Jobs of version 0.1 have no times.
    expect(forecast({ ended: [job()] }).endOf(job(), at)).toBeUndefined()
  })

  it('is unknown when a job has been due for more than 30 s and none runs', () => {
    const waiting = (ms: number) => job({ nextAttemptAt: at - ms })
    expect(forecast({ queued: [waiting(30_001)] }).endOf(job(), at)).toBeUndefined()
    expect(forecast({ queued: [waiting(30_000)] }).endOf(job(), at)).toBeDefined()
    expect(forecast({ queued: [waiting(30_001)], running: [running(10)] }).endOf(job(), at)).toBeDefined()
  })

  it('is after what waits before it and its own work', () => {
    const queued = [job(), job()]
    const { endOf } = forecast({ queued, running: [running(400)] })
    expect(queued.map((one) => (endOf(one, at) ?? 0) - at)).toEqual([1_600, 2_600])
    // A job that was queued after the backlog was read.
    expect((endOf(job(), at + 200) ?? 0) - at).toBe(3_600)
  })

  it('is estimated once for a job that is not read, however often it is asked for', () => {
    const { endOf } = forecast({ queued: [job()], running: [running(0)] })
    const late = job()
    const first = endOf(late, at + 10)
    expect(endOf(late, at + 10)).toBe(first)
    expect(endOf(job(), at + 10)).toBeGreaterThan(first ?? 0)
  })

  it('counts the queue that was too long to be read', () => {
    const queued = [job(), job()]
    const late = job({ nextAttemptAt: at + 1 })
    const read = forecast({ queued, running: [running(0)] }).endOf(late, at + 1) ?? 0
    const twice = forecast({ queued, running: [running(0)], unread: 2 }).endOf(late, at + 1) ?? 0
    expect((twice - at) / (read - at)).toBeCloseTo(2)
  })

  it('of a running job is what is left of its time, and less when more of it is done', () => {
    const one = running(400)
    const { endOf } = forecast({ running: [one] })
    expect((endOf(one, at) ?? 0) - at).toBe(600)
    expect((endOf(one, at, 0.75) ?? 0) - at).toBe(250)
    expect((endOf(one, at, 1) ?? 0) - at).toBe(0)
    expect((endOf(one, at + 1_600) ?? 0) - at - 1_600).toBe(200)
  })

  it('of a job that was started before the queue was read is that of a running one', () => {
    const one = running(400)
    const { endOf } = forecast({ running: [one] })
    expect((endOf({ ...one, startedAt: null, lease: null }, at) ?? 0) - at).toBe(600)
  })

  it('never lies in the past', () => {
    const queued = [job(), job()]
    const { endOf } = forecast({ queued })
    expect(endOf(queued[0] as BacklogJob, at + 60_000)).toBe(at + 61_000)
  })

  it('learns from jobs that take longer than expected', () => {
    const slow = forecast({ queued: [job()], running: [running(4_000)] })
    expect((slow.endOf(job(), at) ?? 0) - at).toBeGreaterThan(2_500)
  })

  it('ignores leases that have expired', () => {
    const dead = running(60_000, { lease: { token: 't', until: at } })
    expect((forecast({ running: [dead] }).endOf(job(), at) ?? 0) - at).toBe(1_000)
  })

  it('of a file compares files of its type', () => {
    const file = (name: string) => ({ name, object: { etag: '', sizeBytes: 1_000, modifiedAt: 0 } })
    const measured = Array.from({ length: 10 }, () => [
      ended(0, { ...file('a.pdf'), times: { reading: 9_000, indexing: 3_000 } }),
      ended(0, { ...file('a.txt'), times: { reading: 100, indexing: 300 } }),
    ]).flat()
    const { endOf, indexingOf } = forecast({ ended: measured })
    const [pdf, txt] = [job(file('b.PDF')), job(file('b.txt'))]
    expect((endOf(pdf, at) ?? 0) - at).toBeGreaterThan(5_000)
    expect((endOf(txt, at) ?? 0) - at).toBeLessThan(1_500)
    expect(indexingOf(pdf)).toBeGreaterThan(1_500)
  })

  it('of a deletion depends on the number of items', () => {
    const removed = { items: 1_000, points: 3_000 }
    const measured = ended(2_000, { target: 'namespace', removed })
    const end = (itemCount: number) =>
      (forecast({ ended: [measured] }).endOf(job({ target: 'namespace', itemCount }), at) ?? 0) - at
    expect([end(1_000), end(4_000)]).toEqual([2_000, 8_000])
  })

  it('of the batches of a file is that of the last one', () => {
    const queued = [job({ id: 'fver_1-0-64' }), job({ id: 'fver_1-64-64' }), job({ id: 'fver_2-0-64' })]
    const { endOfLast } = forecast({ queued, running: [running(1_000)] })
    expect((endOfLast('fver_1-', at) ?? 0) - at).toBe(2_100)
    expect(endOfLast('fver_3-', at)).toBeUndefined()
  })
})
