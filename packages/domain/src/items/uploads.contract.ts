import { expect, it } from 'vitest'
import type { Lease } from '../jobs/record.ts'
import { allOverdueMs, createScene, mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { Upload } from './record.ts'

const result = {
  state: 'completed',
  outcomes: [{ id: 'a', outcome: 'completed' }],
  times: { embed: 12 },
  at: wallAt + 99,
} as const

export const uploadsContract = (group: Group) =>
  behaviour('uploads', group, (engine) => {
    const newScene = () => createScene(engine.store)
    const leased = async (jobId: string): Promise<Lease> => {
      const token = mint('lease')
      expect(await engine.store.uploads.lease(jobId, token)).toMatchObject({ state: 'running', lease: { token } })
      return { jobId, token }
    }
    const read = async (id: string) => (await engine.store.uploads.get(id)) as Upload
    const isDue = async (id: string) => (await engine.store.uploads.due(10_000)).some((job) => job.id === id)

    it('gives a lease on a fresh job at once, and to one of many', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const tokens = times(16, () => mint('lease'))
      const taken = (await Promise.all(tokens.map((token) => uploads.lease(job.id, token)))).filter(
        (one) => one !== undefined,
      )
      expect(taken).toHaveLength(1)
      expect(taken[0]).toMatchObject({ state: 'running', leaseSeq: 1, starts: 1, ids: ['a'] })
      expect(tokens).toContain(taken[0]?.lease?.token)
      expect(await read(job.id)).toEqual(taken[0])
      expect(await uploads.lease('nobody', mint('lease'))).toBeUndefined()
    })

    it('lets a lease run out by store time, and the next holder shuts the former out', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const former = await leased(job.id)
      await engine.advance(29_000)
      expect(await uploads.lease(job.id, mint('lease'))).toBeUndefined()
      expect(await isDue(job.id)).toBe(false)
      await engine.advance(1_100)
      expect(await isDue(job.id)).toBe(true)
      const next = await leased(job.id)
      expect(await read(job.id)).toMatchObject({ starts: 2, leaseSeq: 2 })
      expect(await uploads.renew(former)).toBe(false)
      expect(await uploads.requeue(former, { delayMs: 0, error: null, counted: false })).toBe(false)
      expect(await uploads.complete(former, result)).toBe(false)
      expect(await read(job.id)).toMatchObject({
        state: 'running',
        lease: { token: next.token },
        attempts: 0,
        outcomes: [],
      })
    })

    it('gives no lease to one that another came before', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const late = await engine.stall('uploads: take lease', (other) => other.uploads.lease(job.id, 'late'))
      const lease = await leased(job.id)
      await uploads.requeue(lease, { delayMs: 0, error: null, counted: false, fresh: true })
      expect(await late()).toBeUndefined()
      expect(await read(job.id)).toMatchObject({ state: 'queued', lease: null })
    })

    it('keeps a lease that has run out for its holder until another takes it', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const lease = await leased(job.id)
      await engine.advance(31_000)
      expect(await uploads.renew(lease)).toBe(true)
      expect(await uploads.lease(job.id, mint('lease'))).toBeUndefined()
    })

    it('renews a lease for another 30 s; only progress makes the starts begin anew', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      await leased(job.id)
      await engine.advance(31_000)
      const lease = await leased(job.id)
      await engine.advance(20_000)
      expect(await uploads.renew(lease)).toBe(true)
      expect(await read(job.id)).toMatchObject({ starts: 2 })
      await engine.advance(20_000)
      expect(await uploads.lease(job.id, mint('lease'))).toBeUndefined()
      expect(await isDue(job.id)).toBe(false)
      expect(await uploads.renew(lease, { progress: true })).toBe(true)
      expect(await read(job.id)).toMatchObject({ starts: 1, retries: 0, leaseSeq: 2 })
      expect(await uploads.renew({ jobId: 'nobody', token: lease.token })).toBe(false)
    })

    it('puts a failed job back to wait for its time', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const lease = await leased(job.id)
      expect(await uploads.requeue(lease, { delayMs: 8_000, error: 'the index is away', counted: true })).toBe(true)
      expect(await read(job.id)).toMatchObject({
        state: 'queued',
        waiting: 'retry',
        lease: null,
        lastError: 'the index is away',
        attempts: 1,
        retries: 1,
        starts: 0,
      })
      expect(await uploads.lease(job.id, mint('lease'))).toBeUndefined()
      expect(await isDue(job.id)).toBe(false)
      expect(await uploads.renew(lease)).toBe(false)
      await engine.advance(8_100)
      expect(await isDue(job.id)).toBe(true)
      const again = await leased(job.id)
      expect(await uploads.requeue(again, { delayMs: 1_000, error: 'still', counted: false })).toBe(true)
      expect(await read(job.id)).toMatchObject({ attempts: 1, retries: 2, lastError: 'still', leaseSeq: 2 })
    })

    it('releases a job in order: fresh, to be taken at once, and no retry', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const lease = await leased(job.id)
      expect(await uploads.requeue(lease, { delayMs: 0, error: null, counted: false, fresh: true })).toBe(true)
      expect(await read(job.id)).toMatchObject({
        state: 'queued',
        waiting: 'fresh',
        lease: null,
        attempts: 0,
        retries: 0,
        starts: 0,
      })
      expect(await leased(job.id)).toBeDefined()
      expect(await read(job.id)).toMatchObject({ starts: 1, leaseSeq: 2 })
    })

    it('lists a fresh job as due at once', async () => {
      const job = await (await newScene()).accepted(['a'])
      expect(await isDue(job.id)).toBe(true)
    })

    it('lists due jobs oldest first, up to the limit, and no final ones', async () => {
      const { store, advance } = await engine.fresh()
      const scene = await createScene(store)
      const [first, second, third, done] = [
        await scene.accepted(['a']),
        await scene.accepted(['b']),
        await scene.accepted(['c']),
        await scene.accepted(['d']),
      ]
      await store.uploads.lease(second.id, 'l2')
      await store.uploads.lease(done.id, 'l4')
      await store.uploads.complete({ jobId: done.id, token: 'l4' }, result)
      await store.uploads.lease(first.id, 'l1')
      await store.uploads.requeue({ jobId: first.id, token: 'l1' }, { delayMs: 40_000, error: null, counted: false })
      await advance(50_000)
      // The third job was due at once, the second when its lease expired after 30 s, the first after 40 s.
      expect((await store.uploads.due(10)).map(({ id }) => id)).toEqual([third.id, second.id, first.id])
      expect((await store.uploads.due(2)).map(({ id }) => id)).toEqual([third.id, second.id])
    })

    it('completes a job under its lease, for ever', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const lease = await leased(job.id)
      expect(await uploads.complete({ ...lease, token: 'other' }, result)).toBe(false)
      expect(await uploads.complete(lease, result)).toBe(true)
      expect(await read(job.id)).toMatchObject({
        ...job,
        state: 'completed',
        lease: null,
        leaseSeq: 1,
        starts: 1,
        nextAttemptAt: expect.any(Number),
        outcomes: result.outcomes,
        times: { embed: 12 },
        updatedAt: wallAt + 99,
        finishedAt: wallAt + 99,
      })
      expect(await uploads.complete(lease, { ...result, state: 'failed' })).toBe(false)
      await engine.advance(allOverdueMs)
      expect(await uploads.lease(job.id, mint('lease'))).toBeUndefined()
      expect(await isDue(job.id)).toBe(false)
      expect(await uploads.requeue(lease, { delayMs: 0, error: null, counted: false })).toBe(false)
    })

    it('gives objects that are the caller’s own', async () => {
      const job = (await (await newScene()).accepted(['a'])) as unknown as {
        id: string
        ids: string[]
        times: Record<string, number>
      }
      job.ids.push('mine')
      job.times.mine = 1
      expect(await read(job.id)).toMatchObject({ ids: ['a'], times: {} })
    })

    it('lists what is not final, oldest first', async () => {
      const { uploads } = engine.store
      const scene = await newScene()
      // Older than any unfinished upload of other tests.
      const [late, early, middle, done] = [
        await scene.accepted(['a'], { at: 3 }),
        await scene.accepted(['b'], { at: 1 }),
        await scene.accepted(['c'], { at: 2, leaseToken: 'mine' }),
        await scene.accepted(['d'], { at: 0, leaseToken: 'done' }),
      ]
      await uploads.complete({ jobId: done.id, token: 'done' }, result)
      expect((await uploads.unfinished(3)).map(({ id }) => id)).toEqual([early.id, middle.id, late.id])
      expect((await uploads.unfinished(1)).map(({ id }) => id)).toEqual([early.id])
    })

    it('returns the uploads of one namespace, newest first, page by page, without batches of chunks', async () => {
      const { uploads } = engine.store
      const [scene, other] = [await newScene(), await newScene()]
      const ids = times(7, () => mint('upload_list'))
      for (const uploadId of ids) await scene.accepted(['a'], { uploadId })
      await other.accepted(['a'], { uploadId: mint('upload_other') })
      await scene.accepted(['a'], { uploadId: mint('fver_batch') })
      const newest = ids.toSorted().reverse()
      const read = async (page: { readonly before?: string; readonly limit: number }) =>
        (await uploads.newest(scene.namespaceId, page)).map(({ id }) => id)
      expect(await read({ limit: 10 })).toEqual(newest)
      expect(await read({ limit: 3 })).toEqual(newest.slice(0, 3))
      expect(await read({ limit: 1 })).toEqual(newest.slice(0, 1))
      expect(await read({ before: newest[2] as string, limit: 3 })).toEqual(newest.slice(3, 6))
      expect(await read({ before: newest[6] as string, limit: 3 })).toEqual([])
    })

    it('removes and counts the records of one namespace', async () => {
      const { uploads } = engine.store
      const [scene, other] = [await newScene(), await newScene()]
      for (const id of ['a', 'b', 'c']) await scene.accepted([id])
      const kept = await other.accepted(['a'])
      expect(await uploads.countOfNamespace(scene.namespaceId)).toBe(3)
      expect(await uploads.removeOfNamespace(scene.namespaceId, 2)).toBe(2)
      expect(await uploads.removeOfNamespace(scene.namespaceId, 2)).toBe(1)
      expect(await uploads.removeOfNamespace(scene.namespaceId, 2)).toBe(0)
      expect(await uploads.countOfNamespace(scene.namespaceId)).toBe(0)
      expect(await uploads.get(kept.id)).toBeDefined()
    })

    it('gives no lease on a job that its holder put back meanwhile to wait', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'])
      const lease = await leased(job.id)
      await engine.advance(31_000)
      const late = await engine.stall('uploads: take lease', (other) => other.uploads.lease(job.id, 'late'))
      expect(await uploads.requeue(lease, { delayMs: 60_000, error: 'away', counted: true })).toBe(true)
      expect(await late()).toBeUndefined()
      expect(await read(job.id)).toMatchObject({ state: 'queued', waiting: 'retry', lease: null })
    })
  })
