import { AppError } from '@cairn/contracts/errors'
import type { IndexJob } from '@cairn/domain/items/record'
import { leaseLost } from '@cairn/domain/jobs/job-error'
import { createScene, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { failAlways, withFaults } from '@cairn/testing/faults'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun, passTime } from '@cairn/testing/pass-time'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { createLogger } from '../process/logger.ts'
import { createJobs, type Jobs, type JobsOptions } from './jobs.ts'

const log = createLogger({ level: 'silent', name: 'test' })

/** Creates a store on manual time, and pools of workers that use the store. */
const setUp = async () => {
  const manual = createManualClock(wallAt)
  const data = stepwiseData()
  const now = () => manual.clock.monotonic()
  const store = stepwiseStore({ data, now })
  const scene = await createScene(store)
  let made = 0
  const pool = (work: JobsOptions<IndexJob>['work'], options: Partial<JobsOptions<IndexJob>> = {}): Jobs =>
    createJobs<IndexJob>({
      jobStore: store.uploads,
      concurrency: 4,
      work,
      takeOver: async (job, token) => {
        await store.uploads.takeOver(job.id, wallAt)
        return store.uploads.lease(job.id, token)
      },
      needsTakingOver: ({ state }) => state === 'accepting',
      clock: manual.clock,
      ids: { next: (prefix) => `${prefix}_${++made}` },
      random: () => 1,
      log,
      ...options,
    })
  const job = async (id: string) => (await store.uploads.get(id)) as IndexJob
  const queued = async (): Promise<string> => (await scene.accepted(['a'])).id
  /** Returns the remaining wait for the next attempt. */
  const delayOf = async (id: string) => (await job(id)).nextAttemptAt - now()
  return { manual, data, now, store, scene, pool, job, queued, delayOf, pass: (ms: number) => passTime(manual, ms) }
}

const complete = (
  jobStore: Store['uploads'],
  run: { readonly lease: { readonly jobId: string; readonly token: string } },
) => jobStore.complete(run.lease, { state: 'completed', outcomes: [], times: {}, at: wallAt })

const away = () => new AppError('unavailable', 'the engine is away')

/** Work that ends when the test says so. */
const heldWork = () => {
  const held = Promise.withResolvers<void>()
  const started: string[] = []
  const work: JobsOptions<IndexJob>['work'] = async ({ job, step }) => {
    started.push(job.id)
    await step('held', () => held.promise)
    return undefined
  }
  return { started, work, end: held.resolve }
}

/** Leases the job `starts` times, and lets each lease expire, as if its worker had died. */
const startFruitlessly = async ({ store, pass }: Awaited<ReturnType<typeof setUp>>, id: string, starts: number) => {
  for (const number of times(starts, (index) => index)) {
    expect(await store.uploads.lease(id, `dead_${number}`)).toBeDefined()
    await pass(31_000)
  }
}

it('takes the lease once, however often the job is announced and swept', async () => {
  const { pool, queued, pass } = await setUp()
  const { started, work, end } = heldWork()
  const [one, other] = [pool(work), pool(work)]
  const id = await queued()
  await pass(5_000)
  await Promise.all([one.wake(), one.sweep(), other.wake(), other.sweep(), one.wake()])
  end()
  await Promise.all([one.idle(), other.idle()])
  expect(started).toEqual([id])
})

it('is awake when the lease is taken, not when the job is done', async () => {
  const { pool, queued, job } = await setUp()
  const { work, end } = heldWork()
  const jobs = pool(work)
  const id = await queued()
  await jobs.wake()
  expect(await job(id)).toMatchObject({ state: 'running', starts: 1 })
  expect(jobs.free()).toBe(3)
  end()
  await jobs.idle()
  expect(jobs.free()).toBe(4)
})

it('renews the lease every 10 s while steps advance, so that nobody else takes the job', async () => {
  const { manual, pool, queued, job, pass, now } = await setUp()
  const jobs = pool(async ({ step }) => {
    for (let part = 0; part < 9; part += 1) await step('part', () => manual.clock.delay(10_000))
    return undefined
  })
  const other = pool(async () => undefined)
  const id = await queued()
  await jobs.wake()
  for (let second = 1; second < 90; second += 1) {
    await pass(1_000)
    expect((await job(id)).lease?.until).toBeGreaterThanOrEqual(now() + 20_000)
    await other.sweep()
  }
  expect(await job(id)).toMatchObject({ leaseSeq: 1, state: 'running' })
  await pass(1_000)
  await jobs.idle()
})

it('ends a job whose step hangs, so that another worker has it', async () => {
  const { pool, queued, job, pass } = await setUp()
  const seen: AbortSignal[] = []
  const jobs = pool(async ({ step }) => {
    await step(
      'hung',
      (signal) => {
        seen.push(signal)
        return new Promise(() => {})
      },
      { deadlineMs: 25_000 },
    )
    return undefined
  })
  const id = await queued()
  await jobs.wake()
  await pass(24_000)
  expect(seen[0]?.aborted).toBe(false)
  await pass(1_000)
  await jobs.idle()
  expect(seen[0]?.aborted).toBe(true)
  expect(await job(id)).toMatchObject({
    state: 'queued',
    lease: null,
    attempts: 0,
    lastError: 'hung took longer than 25000 ms',
  })
  const { work, started } = heldWork()
  await pass(1_000)
  await pool(work).sweep()
  expect(started).toEqual([id])
})

it('gives a step a minute when nothing else is said', async () => {
  const { pool, queued, job, pass } = await setUp()
  const jobs = pool(({ step }) => step('hung', () => new Promise(() => {})))
  const id = await queued()
  await jobs.wake()
  await pass(59_000)
  expect((await job(id)).state).toBe('running')
  await pass(1_000)
  await jobs.idle()
  expect((await job(id)).state).toBe('queued')
})

it('repeats a step quickly while an engine is away', async () => {
  const { pool, queued, job, pass, store } = await setUp()
  let calls = 0
  const jobs = pool(async ({ step, lease }) => {
    await step('write', async () => {
      calls += 1
      if (calls < 3) throw away()
    })
    await complete(store.uploads, { lease })
    return undefined
  })
  const id = await queued()
  await jobs.wake()
  await pass(2_000)
  await jobs.idle()
  expect(calls).toBe(3)
  expect(await job(id)).toMatchObject({ state: 'completed', attempts: 0, retries: 0 })
})

it('puts a job back, each time for longer, while an engine is away, and never counts that', async () => {
  const { pool, queued, job, delayOf, pass } = await setUp()
  const jobs = pool(async () => {
    throw away()
  })
  const id = await queued()
  await jobs.wake()
  await jobs.idle()
  for (const seconds of [1, 2, 4, 8, 15, 15, 15, 15]) {
    expect(await job(id)).toMatchObject({
      state: 'queued',
      waiting: 'retry',
      attempts: 0,
      starts: 0,
      lastError: 'the engine is away',
    })
    expect(await delayOf(id)).toBe(seconds * 1_000)
    await pass(seconds * 1_000 - 1)
    await jobs.sweep()
    expect((await job(id)).state).toBe('queued')
    await pass(1)
    await jobs.sweep()
    await jobs.idle()
  }
})

it('does not start a job that waits for its next attempt because it was woken', async () => {
  const { pool, queued, job } = await setUp()
  const jobs = pool(async () => {
    throw away()
  })
  const id = await queued()
  await jobs.wake()
  await jobs.idle()
  await jobs.wake()
  await jobs.idle()
  expect(await job(id)).toMatchObject({ leaseSeq: 1, retries: 1 })
})

it('puts a job back for as long as its work says', async () => {
  const { pool, queued, job, delayOf } = await setUp()
  const jobs = pool(async () => ({ againMs: 7_000, because: 'the model is loading' }))
  const id = await queued()
  await jobs.wake()
  await jobs.idle()
  expect(await job(id)).toMatchObject({ state: 'queued', attempts: 0, lastError: 'the model is loading' })
  expect(await delayOf(id)).toBe(7_000)
})

it('gives a job up as `internal` after three attempts that failed for no reason we know', async () => {
  const { pool, queued, job, pass, store } = await setUp()
  const ends: string[] = []
  let tries = 0
  const jobs = pool(
    async () => {
      tries += 1
      throw new TypeError('a bug')
    },
    {
      fail: async (run, reason) => {
        ends.push(reason)
        await complete(store.uploads, run)
        return undefined
      },
    },
  )
  const id = await queued()
  await jobs.wake()
  for (const attempts of [1, 2, 3]) {
    await jobs.idle()
    expect(await job(id)).toMatchObject({ attempts, lastError: 'a bug' })
    expect(ends).toEqual([])
    await pass(5_000)
    await jobs.sweep()
  }
  await jobs.idle()
  expect({ tries, ends, state: (await job(id)).state }).toEqual({ tries: 3, ends: ['internal'], state: 'completed' })
})

it('writes nothing more to a job whose work has lost its lease', async () => {
  const { pool, queued, job, pass } = await setUp()
  let tries = 0
  const jobs = pool(async () => {
    tries += 1
    throw leaseLost()
  })
  const id = await queued()
  await jobs.wake()
  await jobs.idle()
  expect(await job(id)).toMatchObject({ state: 'running', attempts: 0, lastError: null })
  await pass(5_000)
  await jobs.sweep()
  await jobs.idle()
  expect(tries).toBe(1)
})

it('gives a job up as `crashed_worker` after five starts without a sign of life', async () => {
  const context = await setUp()
  const { pool, queued, store, job } = context
  const ends: string[] = []
  const { work, started } = heldWork()
  const jobs = pool(work, {
    fail: async (run, reason) => {
      ends.push(reason)
      await complete(store.uploads, run)
      return undefined
    },
  })
  const id = await queued()
  await startFruitlessly(context, id, 5)
  await jobs.sweep()
  await jobs.idle()
  expect({ ends, started, starts: (await job(id)).starts }).toEqual({
    ends: ['crashed_worker'],
    started: [],
    starts: 6,
  })
})

it('counts fruitless starts anew once something lasting was done', async () => {
  const context = await setUp()
  const { pool, queued, job, pass } = context
  const { work, end } = heldWork()
  const jobs = pool((run) => {
    run.progress()
    return work(run)
  })
  const id = await queued()
  await startFruitlessly(context, id, 4)
  await jobs.sweep()
  expect((await job(id)).starts).toBe(5)
  await pass(10_000)
  expect((await job(id)).starts).toBe(1)
  end()
  await jobs.idle()
})

it('tries a job for ever that must not be given up', async () => {
  const { pool, queued, job, pass } = await setUp()
  let tries = 0
  const jobs = pool(async () => {
    tries += 1
    throw new Error('a bug')
  })
  const id = await queued()
  await jobs.wake()
  for (let round = 0; round < 8; round += 1) {
    await jobs.idle()
    await pass(15_000)
    await jobs.sweep()
  }
  await jobs.idle()
  expect(tries).toBe(9)
  expect((await job(id)).state).toBe('queued')
})

it('takes over, once it is overdue, what a request died over', async () => {
  const { data, now, scene, pool, job, store, pass } = await setUp()
  const dying = stepwiseStore({
    data,
    now,
    turn: (step) => {
      if (step === 'accept: queue') throw away()
    },
  })
  const input = scene.acceptInput(['a', 'b'])
  await expect(dying.accept(input)).rejects.toMatchObject({ code: 'unavailable' })
  const done: (readonly string[])[] = []
  const jobs = pool(async ({ job: { ids }, lease }) => {
    done.push(ids)
    await complete(store.uploads, { lease })
    return undefined
  })
  await pass(29_000)
  await jobs.sweep()
  await jobs.idle()
  expect(done).toEqual([])
  await pass(1_000)
  await jobs.sweep()
  await jobs.idle()
  expect(done).toEqual([['a', 'b']])
  expect((await job(input.uploadId)).state).toBe('completed')
})

it('finds jobs that no message announced within 1.5 s', async () => {
  const { pool, queued, pass, store } = await setUp()
  const done: string[] = []
  const jobs = pool(async ({ job, lease }) => {
    done.push(job.id)
    await complete(store.uploads, { lease })
    return undefined
  })
  jobs.begin()
  await letRun()
  const id = await queued()
  await pass(1_400)
  expect(done).toEqual([])
  await pass(100)
  expect(done).toEqual([id])
  await jobs.stop()
})

it('goes on looking after a look that failed', async () => {
  const { pool, queued, pass, store } = await setUp()
  const done: string[] = []
  let looks = 0
  const jobStore: Store['uploads'] = {
    ...store.uploads,
    dueAccount: (...args) => {
      looks += 1
      return looks === 1 ? Promise.reject(away()) : store.uploads.dueAccount(...args)
    },
  }
  const jobs = pool(async ({ job }) => void done.push(job.id) as undefined, { jobStore })
  const id = await queued()
  jobs.begin()
  await pass(11_000)
  expect(done).toContain(id)
  await jobs.stop()
})

it('sweeps no faster than places become free', async () => {
  const { pool, scene, pass } = await setUp()
  const ends: (() => void)[] = []
  const jobs = pool(
    ({ step }) => step('held', () => new Promise<undefined>((resolve) => void ends.push(() => resolve(undefined)))),
    {
      concurrency: 2,
    },
  )
  await Promise.all(times(5, (index) => scene.accepted([`d${index}`])))
  await pass(5_000)
  let swept = false
  const sweeping = jobs.sweep().then(() => {
    swept = true
  })
  for (const started of [2, 3, 4, 5]) {
    await letRun()
    expect(ends).toHaveLength(started)
    expect(jobs.free()).toBe(0)
    ends[started - 2]?.()
  }
  await sweeping
  expect(swept).toBe(true)
  ends.at(-1)?.()
  await jobs.idle()
  expect(jobs.free()).toBe(2)
})

it('stops the work whose lease is lost, and leaves the job to whoever has it', async () => {
  const { pool, queued, job, store, pass } = await setUp()
  const ended = Promise.withResolvers<unknown>()
  const jobs = pool(async ({ step, signal }) => {
    await step('held', () => new Promise(() => {})).catch(() => undefined)
    ended.resolve(signal.aborted)
    signal.throwIfAborted()
    return undefined
  })
  const id = await queued()
  await jobs.wake()
  const token = (await job(id)).lease?.token ?? ''
  await store.uploads.requeue({ jobId: id, token }, { delayMs: 0, error: null, counted: false })
  const other = await store.uploads.lease(id, 'other')
  await pass(10_000)
  expect(await ended.promise).toBe(true)
  await jobs.idle()
  expect(jobs.healthy()).toBe(true)
  expect(await job(id)).toMatchObject({ state: 'running', leaseSeq: other?.leaseSeq, lease: { token: 'other' } })
})

it.each([
  ['refuses', failAlways()],
  ['does not answer', undefined],
])('is unhealthy, and ends the work in time, when the store %s a renewal', async (_, fault) => {
  const { pool, queued, store, pass } = await setUp()
  const jobStore = fault
    ? withFaults(store.uploads, { renew: fault })
    : { ...store.uploads, renew: () => new Promise<boolean>(() => {}) }
  const { work } = heldWork()
  const jobs = pool(work, { jobStore })
  await queued()
  await jobs.wake()
  await pass(19_000)
  expect(jobs.healthy()).toBe(true)
  await pass(10_000)
  expect(jobs.healthy()).toBe(false)
  await jobs.idle()
})

it('lets running jobs end when it stops, and takes no more', async () => {
  const { pool, scene, job, pass, store } = await setUp()
  const held = Promise.withResolvers<void>()
  const jobs = pool(async ({ step, lease }) => {
    await step('held', () => held.promise)
    await complete(store.uploads, { lease })
    return undefined
  })
  jobs.begin()
  const first = (await scene.accepted(['a'])).id
  await jobs.wake()
  await letRun()
  const second = (await scene.accepted(['b'])).id
  const stopped = jobs.stop()
  await pass(3_000)
  await jobs.wake()
  held.resolve()
  await stopped
  expect((await job(first)).state).toBe('completed')
  expect((await job(second)).state).toBe('queued')
})

it('gives the leases back that it still holds 7 s after it was told to stop', async () => {
  const context = await setUp()
  const { pool, queued, job, pass, now } = context
  const { work } = heldWork()
  const jobs = pool(work)
  const id = await queued()
  await startFruitlessly(context, id, 3)
  await jobs.sweep()
  const stopped = jobs.stop()
  await pass(6_000)
  expect((await job(id)).state).toBe('running')
  await pass(1_000)
  await stopped
  const released = await job(id)
  expect(released).toMatchObject({ state: 'queued', waiting: 'fresh', lease: null, starts: 0, attempts: 0, retries: 0 })
  expect(released.nextAttemptAt).toBeLessThanOrEqual(now())
})

it('goes on after a put-back that failed, once the lease has run out', async () => {
  const { pool, queued, job, pass, store } = await setUp()
  const broken = pool(
    async () => {
      throw away()
    },
    { jobStore: withFaults(store.uploads, { requeue: failAlways() }) },
  )
  const id = await queued()
  await broken.wake()
  await pass(2_000)
  await broken.idle()
  expect((await job(id)).state).toBe('running')
  const { work, started } = heldWork()
  await pass(28_000)
  await pool(work).sweep()
  expect(started).toEqual([id])
})

it('keeps the slots of the pool when a lease can not be had', async () => {
  const { pool, queued, store, scene } = await setUp()
  const { work } = heldWork()
  const late: Store['uploads'] = {
    ...store.uploads,
    lease: async (id, token) => {
      await store.uploads.lease(id, 'other')
      return store.uploads.lease(id, token)
    },
  }
  const jobs = pool(work, { jobStore: late })
  await jobs.wake()
  await queued()
  await jobs.wake()
  const failing = pool(work, { jobStore: withFaults(store.uploads, { lease: failAlways() }) })
  await scene.accepted(['b'])
  await failing.wake()
  expect([jobs.free(), failing.free()]).toEqual([4, 4])
})

it('starts the jobs of other accounts between those of one that has many, and its own short ones in a slot of their own', async () => {
  const { pool, store, scene, pass } = await setUp()
  const other = await createScene(store)
  const text = 'x'.repeat(40_000)
  const ends: (() => void)[] = []
  const started: string[] = []
  const work: JobsOptions<IndexJob>['work'] = async ({ job, step, lease }) => {
    started.push(job.accountId === scene.accountId ? 'many' : 'few')
    await step('held', () => new Promise<undefined>((resolve) => void ends.push(() => resolve(undefined))))
    await complete(store.uploads, { lease })
    return undefined
  }
  const jobs = pool(work, { concurrency: 2 })
  for (const id of ['a', 'b', 'c', 'd']) await scene.accepted([{ id, body: { text, metadata: '{}' } }])
  await jobs.wake()
  expect(started).toEqual(['many', 'many'])
  await other.accepted(['short'])
  await other.accepted([{ id: 'long', body: { text, metadata: '{}' } }])
  await jobs.wake()
  await pass(20)
  await expect.poll(() => started).toEqual(['many', 'many', 'few'])
  expect(jobs.free()).toBe(0)
  ends[0]?.()
  await expect.poll(() => started).toEqual(['many', 'many', 'few', 'few'])
  for (let ended = 1; ended < 6; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended)
    ends[ended]?.()
  }
  await jobs.idle()
  expect(started.slice(4)).toEqual(['many', 'many'])
})

it('reads due jobs at most once in 20 ms for messages of an account whose jobs have no slot', async () => {
  const { pool, store, scene, pass } = await setUp()
  const { work, end } = heldWork()
  let passes = 0
  const jobStore: Store['uploads'] = {
    ...store.uploads,
    dueAccount: (...args) => {
      passes += 1
      return store.uploads.dueAccount(...args)
    },
  }
  const jobs = pool(work, { jobStore, concurrency: 2 })
  const text = 'x'.repeat(40_000)
  for (const id of ['a', 'b', 'c', 'd']) await scene.accepted([{ id, body: { text, metadata: '{}' } }])
  await jobs.wake()
  const readsOf = async (act: () => Promise<unknown>) => {
    const before = passes
    await act()
    await letRun(20)
    return passes - before
  }
  const burst = () => Promise.all(times(100, () => jobs.wake()))
  const once = await readsOf(async () => pass(20))
  expect(once).toBe(0)
  const first = await readsOf(() => jobs.wake())
  expect(first).toBeGreaterThan(0)
  expect(await readsOf(burst)).toBe(0)
  expect(await readsOf(async () => pass(20))).toBe(first)
  expect(await readsOf(burst)).toBe(0)
  end()
  await jobs.idle()
})

it('asks the store for no job while it has no slot, and tells what is due', async () => {
  const { pool, store, scene, pass } = await setUp()
  const { work, end } = heldWork()
  let asked = 0
  const jobStore: Store['uploads'] = {
    ...store.uploads,
    dueAccount: (...args) => {
      asked += 1
      return store.uploads.dueAccount(...args)
    },
  }
  const jobs = pool(work, { jobStore, concurrency: 1 })
  const text = 'x'.repeat(40_000)
  for (const id of ['a', 'b', 'c']) await scene.accepted([{ id, body: { text, metadata: '{}' } }])
  const other = await createScene(store)
  await other.accepted(['short'])
  await jobs.wake()
  expect([jobs.free(), jobs.startedAt()]).toEqual([0, 0])
  const before = asked
  await Promise.all(times(100, () => jobs.wake()))
  expect(asked).toBe(before)
  await pass(3_000)
  expect(await jobs.due()).toEqual({ jobs: 2, oldestMs: 3_000 })
  end()
  await jobs.idle()
})

it('counts a job that ended with an internal error of a part of it as failed, and does not run it again', async () => {
  const { pool, queued, store, job } = await setUp()
  const outcomes: string[] = []
  const jobs = pool(
    async ({ lease }) => {
      await store.uploads.complete(lease, { state: 'completed', outcomes: [], times: {}, at: wallAt })
      return { fault: new TypeError('a bug') }
    },
    { observe: { job: (outcome: string) => void outcomes.push(outcome), stage: () => undefined } },
  )
  const id = await queued()
  await jobs.wake()
  await jobs.idle()
  expect(outcomes).toEqual(['failed'])
  expect((await job(id)).state).toBe('completed')
})

it('tells how jobs end and how long their steps take', async () => {
  const { manual, pool, queued, pass, store, job } = await setUp()
  const outcomes: string[] = []
  const stages: [string, number][] = []
  const observe = {
    job: (outcome: string) => void outcomes.push(outcome),
    stage: (name: string, s: number) => void stages.push([name, s]),
  }
  const jobs = pool(
    async ({ step, times: spent, lease }) => {
      await step('cut', () => manual.clock.delay(2_000))
      await step('cut', () => manual.clock.delay(3_000))
      for (const _ of times(3, String)) await step('mark', async () => manual.pass(0.25))
      await store.uploads.complete(lease, { state: 'completed', outcomes: [], times: { ...spent }, at: wallAt })
      return undefined
    },
    { observe },
  )
  const id = await queued()
  await jobs.wake()
  await pass(5_000)
  await jobs.idle()
  expect(outcomes).toEqual(['done'])
  expect(stages).toEqual([['cut', 2], ['cut', 3], ...times(3, (): [string, number] => ['mark', 0.00025])])
  expect((await job(id)).times).toEqual({ cut: 5_000, mark: 0.75 })
})
