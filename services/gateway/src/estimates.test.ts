import type { IndexJob } from '@cairn/domain/items/record'
import type { DueJob, MeasuredJob } from '@cairn/domain/jobs/jobs'
import { createScene, mint, type Scene, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { createJobs } from '@cairn/runtime/jobs/jobs'
import { createLogger } from '@cairn/runtime/process/logger'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun } from '@cairn/testing/pass-time'
import { seededRandom } from '@cairn/testing/seeded-random'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { describe, expect, it } from 'vitest'
import { createEstimates } from './estimates.ts'

const log = createLogger({ level: 'silent', name: 'test' })

/** Creates processes that share one store, on manual time. `msOf` returns how long a job takes. */
const openSystem = (options: {
  readonly processes: number
  readonly concurrency: number
  readonly msOf: (job: IndexJob, atMs: number) => number
}) => {
  const manual = createManualClock(wallAt)
  const now = () => manual.clock.monotonic()
  const store = stepwiseStore({ now })
  const ends = new Map<string, number>()
  const pools = times(options.processes, () =>
    createJobs<IndexJob>({
      jobStore: store.uploads,
      concurrency: options.concurrency,
      work: async ({ job, lease, signal }) => {
        await manual.clock.delay(options.msOf(job, now()), signal)
        const at = manual.clock.now()
        ends.set(job.id, at)
        await store.uploads.complete(lease, { state: 'completed', outcomes: [], times: {}, at })
        return undefined
      },
      takeOver: async () => undefined,
      needsTakingOver: () => false,
      clock: manual.clock,
      ids: { next: mint },
      random: () => 0.5,
      log,
    }),
  )
  const pass = async (ms: number, sliceMs = 25) => {
    for (let left = ms; left > 0; left -= sliceMs) {
      manual.pass(Math.min(left, sliceMs))
      await letRun(3)
    }
  }
  return {
    store,
    clock: manual.clock,
    estimates: createEstimates({ store, clock: manual.clock }),
    ends,
    pass,
    /** Wakes one of the processes, like the message of a job does. */
    wake: (process: number) => void pools[process % pools.length]?.wake(),
    begin: () => {
      for (const pool of pools) pool.begin()
    },
    stop: async () => {
      const stopped = Promise.all(pools.map((pool) => pool.stop()))
      await pass(10_000, 1_000)
      await stopped
    },
  }
}

type Asked = { readonly id: string; readonly at: number; readonly expected: number | undefined }

it('is rough: within a factor of two for eight of ten uploads of several accounts, processes and sizes', async () => {
  const random = seededRandom(1)
  const system = openSystem({
    processes: 2,
    concurrency: 2,
    // The speed changes by a factor of two within five minutes, and two jobs of one size differ by up to a fifth.
    msOf: ({ bytes = 0 }, atMs) =>
      (400 + bytes / 5) * (1 + 0.33 * Math.sin((2 * Math.PI * atMs) / 600_000)) * (0.9 + 0.2 * random.next()),
  })
  const { store, clock, estimates, ends, pass, wake } = system
  const scenes = await Promise.all(times(5, () => createScene(store)))
  system.begin()
  const asked: Asked[] = []
  for (let turn = 0; turn < 600; turn += 1) {
    const account = random.below(scenes.length)
    // The first account sends eight jobs at once, the last account only small ones.
    if (random.chance(account === 0 ? 0.06 : 0.2)) {
      for (const _ of times(account === 0 ? 8 : 1 + random.below(3), (index) => index)) {
        const bytes = 500 + Math.floor(60_000 * random.next() ** 2 * (account === 4 ? 0.1 : 1))
        const body = { text: 'x'.repeat(bytes), metadata: '{}' }
        const job = await (scenes[account] as Scene).accepted([{ id: mint('doc'), body }])
        wake(random.below(2))
        asked.push({ id: job.id, at: clock.now(), expected: await estimates.endOf('uploads', job) })
      }
    }
    await pass(900)
  }
  while (asked.some(({ id }) => !ends.has(id))) await pass(1_000)
  await system.stop()
  // No estimate is known before the first uploads are completed.
  const ratios = asked
    .slice(20)
    .map(({ id, at, expected = Number.NaN }) => (expected - at) / ((ends.get(id) ?? 0) - at))
  expect(ratios.length).toBeGreaterThan(150)
  const right = ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2)
  expect(right.length / ratios.length).toBeGreaterThanOrEqual(0.8)
}, 60_000)

describe('an estimate', () => {
  const at = 1_000_000
  const [startedAt, lease] = [at - 1_000, { token: 't', until: at + 30_000 }]
  const work = (ms: number, more: Partial<MeasuredJob> = {}): MeasuredJob => {
    const endedAt = at - 1_000
    return { accountId: 'other', bytes: 1_000, startedAt: endedAt - ms, endedAt, ...more }
  }
  const queued = { accountId: 'own', bytes: 1_000, lane: 'short', nextAttemptAt: at, lease: null } as const
  /** Returns in how many milliseconds a job ends, by the jobs that ended and those that are due in its account. */
  const expectedIn = async (
    job: Parameters<ReturnType<typeof createEstimates>['endOf']>[1],
    options: { readonly ended?: readonly MeasuredJob[]; readonly due?: readonly DueJob[]; readonly done?: number },
  ): Promise<number | undefined> => {
    const { clock } = createManualClock(wallAt)
    const files = { lastEnded: async () => options.ended ?? [], dueOf: async () => options.due ?? [] }
    const store = { files, now: async () => at } as unknown as Store
    const end = await createEstimates({ store, clock }).endOf('files', job, options.done)
    return end === undefined ? undefined : Math.round(end - clock.now())
  }
  const due = (bytes: number, nextAttemptAt: number): DueJob => ({ id: 'd', namespaceId: 'n', bytes, nextAttemptAt })

  it('is unknown until work was measured', async () => {
    expect(await expectedIn(queued, {})).toBeUndefined()
    expect(await expectedIn(queued, { ended: [work(500, { startedAt: null })] })).toBeUndefined()
  })

  it('is the time of the work, at the pace of the last minute of its kind', async () => {
    const csv = { name: 'a.csv' }
    const ended = [
      work(400, { name: 'a.pdf' }),
      work(40, csv),
      work(20, { ...csv, bytes: 500 }),
      work(9_000, { ...csv, endedAt: at - 62_000, startedAt: at - 71_000 }),
    ]
    expect(await expectedIn({ ...queued, name: 'b.csv', bytes: 3_000 }, { ended })).toBe(120)
    expect(await expectedIn({ ...queued, name: 'b.csv', bytes: 1 }, { ended })).toBe(20)
    expect(await expectedIn({ ...queued, name: 'b.PDF' }, { ended })).toBe(400)
    expect(await expectedIn({ ...queued, name: 'b.docx' }, { ended: ended.slice(0, 2) })).toBe(220)
  })

  it('adds what is due before it in its account, at the pace of the account', async () => {
    const ended = [work(400, { accountId: 'own' }), work(400, { accountId: 'own' }), work(4_000)]
    const own = Math.round((400 * 2 + 4_000) / 3)
    expect(await expectedIn(queued, { ended, due: [due(3_000, at - 5), due(9_000, at + 5)] })).toBe(own + 600)
    expect(await expectedIn({ ...queued, nextAttemptAt: at + 5_000 }, { ended })).toBe(own + 5_000)
  })

  it('is what a running job has left', async () => {
    const running = { ...queued, startedAt, lease }
    const ended = [work(4_000)]
    expect(await expectedIn(running, { ended, due: [due(9_000, 0)] })).toBe(3_000)
    expect(await expectedIn(running, { ended, done: 0.9 })).toBe(400)
    expect(await expectedIn(running, { ended: [work(500)] })).toBe(50)
    expect(await expectedIn({ ...running, lease: null, stage: 'indexing' }, { ended })).toBe(3_000)
  })

  it('is unknown while the store is away, and rejects nothing', async () => {
    const { store, clock } = openSystem({ processes: 0, concurrency: 1, msOf: () => 1 })
    const job = await (await createScene(store)).accepted(['a'])
    const away = { ...store, uploads: { ...store.uploads, lastEnded: () => Promise.reject(new Error('away')) } }
    expect(await createEstimates({ store: away, clock }).endOf('uploads', job)).toBeUndefined()
  })

  it('reads a queue once a second at most, and waits 250 ms for it at most', async () => {
    const { store, clock, pass } = openSystem({ processes: 0, concurrency: 1, msOf: () => 1 })
    const job = await (await createScene(store)).accepted(['a'])
    let reads = 0
    let held = false
    const lastEnded = async (limit: number) => {
      reads += 1
      return held ? new Promise<never>(() => undefined) : store.uploads.lastEnded(limit)
    }
    const estimates = createEstimates({ store: { ...store, uploads: { ...store.uploads, lastEnded } }, clock })
    const ask = () => estimates.endOf('uploads', job)
    await Promise.all([ask(), ask(), ask()])
    await pass(975)
    await ask()
    expect(reads).toBe(1)
    await pass(50)
    await ask()
    expect(reads).toBe(2)
    held = true
    await pass(10_000)
    let isAnswered = false
    void ask().then(() => {
      isAnswered = true
    })
    await pass(225)
    expect(isAnswered).toBe(false)
    await pass(25)
    expect(isAnswered).toBe(true)
  })
})
