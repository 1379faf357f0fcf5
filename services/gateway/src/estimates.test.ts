import type { IndexJob, Upload } from '@cairn/domain/items/record'
import { createScene, mint, type Scene, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
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
  /** Whether jobs that run at once share one processor: `n` of them take `n` times as long each. */
  readonly isShared?: boolean
}) => {
  const manual = createManualClock(wallAt)
  const now = () => manual.clock.monotonic()
  const store = stepwiseStore({ now })
  const ends = new Map<string, number>()
  let running = 0
  const pools = times(options.processes, () =>
    createJobs<IndexJob>({
      jobStore: store.uploads,
      concurrency: options.concurrency,
      work: async ({ job, lease, signal }) => {
        running += 1
        const sliceMs = options.isShared ? 25 : Number.POSITIVE_INFINITY
        for (let left = options.msOf(job, now()); left > 0; ) {
          const done = Math.min(left, sliceMs / running)
          await manual.clock.delay(options.isShared ? done * running : done, signal)
          left -= done
        }
        running -= 1
        const at = manual.clock.now()
        ends.set(job.id, at)
        await store.uploads.complete(lease, { state: 'completed', outcomes: [], times: {}, at })
        return undefined
      },
      adopt: async () => undefined,
      needsAdoption: () => false,
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

describe('the estimated end of an upload', () => {
  it.each([1, 2, 3])(
    'is right within 25 % of its time in nine of ten, with several accounts and processes and a changing speed (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const random = seededRandom(seed)
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
      const accepted: Asked[] = []
      const later: Asked[] = []
      const open: Upload[] = []
      const ask = async (job: Upload): Promise<Asked> => ({
        id: job.id,
        at: clock.now(),
        expected: await estimates.endOf('uploads', job),
      })
      for (let turn = 0; turn < 800; turn += 1) {
        const account = random.below(scenes.length)
        // The first account sends eight jobs at once, the last account only small ones.
        if (random.chance(account === 0 ? 0.06 : 0.2)) {
          for (const _ of times(account === 0 ? 8 : 1 + random.below(3), (index) => index)) {
            const bytes = 500 + Math.floor(60_000 * random.next() ** 2 * (account === 4 ? 0.1 : 1))
            const body = { text: 'x'.repeat(bytes), metadata: '{}' }
            const job = await (scenes[account] as Scene).accepted([{ id: mint('doc'), body }])
            wake(random.below(2))
            open.push(job)
            accepted.push(await ask(job))
          }
        }
        const unfinished = open.filter(({ id }) => !ends.has(id))
        const current = unfinished.length > 0 && (await store.uploads.get(random.pick(unfinished).id))
        if (current && current.finishedAt === null) later.push(await ask(current as Upload))
        await pass(900)
      }
      while (open.some(({ id }) => !ends.has(id))) await pass(1_000)
      await system.stop()
      const since = new Map(accepted.map(({ id, at }) => [id, at]))
      /** Returns the error of an estimate, as a share of the time between the acceptance of the upload and its end. */
      const errorOf = ({ id, expected }: Asked): number => {
        const end = ends.get(id) ?? Number.NaN
        return Math.abs((expected ?? Number.NaN) - end) / (end - (since.get(id) ?? Number.NaN))
      }
      for (const asked of [accepted, later]) {
        // No estimate is known before the first uploads are completed.
        const compared = asked.slice(20)
        expect(compared.length).toBeGreaterThan(200)
        const right = compared.filter((one) => errorOf(one) <= 0.25)
        expect(right.length / compared.length).toBeGreaterThanOrEqual(0.9)
      }
    },
  )

  it('is right within 25 % of its time in nine of ten, while the queue of a process with a local model is as long as before', async () => {
    const random = seededRandom(4)
    const system = openSystem({
      processes: 1,
      concurrency: 4,
      msOf: ({ bytes = 0 }) => (100 + bytes / 20) * (0.95 + 0.1 * random.next()),
      isShared: true,
    })
    const { store, clock, estimates, ends, pass, wake } = system
    const scenes = await Promise.all(times(2, () => createScene(store)))
    system.begin()
    const asked: (Asked & { readonly isCounted: boolean })[] = []
    const open = () => asked.filter(({ id }) => !ends.has(id)).length
    for (let turn = 0; turn < 150; turn += 1) {
      const body = { text: 'x'.repeat(1_000 + ((turn * 37) % 96) * 600), metadata: '{}' }
      const job = await (scenes[turn % 2] as Scene).accepted([{ id: mint('doc'), body }])
      wake(0)
      // Not counted: the first 20 uploads, and uploads sent while fewer than five are open.
      const isCounted = turn >= 20 && open() >= 5
      asked.push({ id: job.id, at: clock.now(), expected: await estimates.endOf('uploads', job), isCounted })
      while (open() > (turn < 10 ? 0 : 5)) await pass(50)
    }
    while (open() > 0) await pass(1_000)
    await system.stop()
    const compared = asked.filter(({ isCounted }) => isCounted)
    expect(compared.length).toBeGreaterThan(100)
    const right = compared.filter(({ id, at, expected = Number.NaN }) => {
      const end = ends.get(id) ?? Number.NaN
      return Math.abs(expected - end) <= 0.25 * (end - at)
    })
    expect(right.length / compared.length).toBeGreaterThanOrEqual(0.9)
  }, 120_000)

  it('is unknown while the store is away, and rejects nothing', async () => {
    const { store, clock } = openSystem({ processes: 0, concurrency: 1, msOf: () => 1 })
    const job = await (await createScene(store)).accepted(['a'])
    const away = { ...store, uploads: { ...store.uploads, backlog: () => Promise.reject(new Error('away')) } }
    expect(await createEstimates({ store: away, clock }).endOf('uploads', job)).toBeUndefined()
  })

  it('reads a queue once a second at most, and waits 250 ms for it at most', async () => {
    const { store, clock, pass } = openSystem({ processes: 0, concurrency: 1, msOf: () => 1 })
    const job = await (await createScene(store)).accepted(['a'])
    let reads = 0
    let held = false
    const backlog = async () => {
      reads += 1
      return held ? new Promise<never>(() => undefined) : store.uploads.backlog()
    }
    const estimates = createEstimates({ store: { ...store, uploads: { ...store.uploads, backlog } }, clock })
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
