import { expect, it } from 'vitest'
import type { Upload } from '../items/record.ts'
import type { Lease } from '../jobs/record.ts'
import { createScene, documents, mint, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

const result = { state: 'completed', outcomes: [], times: {}, at: wallAt + 99 } as const

export const uploadCleanUpContract = (group: Group) =>
  behaviour('upload clean-up', group, (engine) => {
    const newScene = () => createScene(engine.store)
    const leased = async (jobId: string): Promise<Lease> => {
      const token = mint('lease')
      expect(await engine.store.uploads.lease(jobId, token)).toMatchObject({ state: 'running', lease: { token } })
      return { jobId, token }
    }
    const read = async (id: string) => (await engine.store.uploads.get(id)) as Upload
    const isDue = async (id: string) => (await engine.store.uploads.due(10_000)).some((job) => job.id === id)

    it('takes over an accepting record when it is overdue: the ids that carry its version', async () => {
      const { uploads } = engine.store
      const scene = await newScene()
      const input = scene.acceptInput(['a', 'b', 'c'])
      await engine.stall('accept: insert items', (other) => other.accept(input), { element: 2 })
      await scene.accepted(documents(['b'], 'newer'))
      await engine.advance(29_000)
      expect(await isDue(input.uploadId)).toBe(false)
      expect(await uploads.takeOver(input.uploadId, wallAt)).toBeUndefined()
      expect(await read(input.uploadId)).toMatchObject({ state: 'accepting', ids: ['a', 'b', 'c'] })
      await engine.advance(1_100)
      expect(await isDue(input.uploadId)).toBe(true)
      expect(await uploads.lease(input.uploadId, mint('lease'))).toBeUndefined()
      const takenOver = await uploads.takeOver(input.uploadId, wallAt + 8)
      expect(takenOver).toMatchObject({ state: 'queued', ids: ['a'], updatedAt: wallAt + 8, finishedAt: null })
      expect(await read(input.uploadId)).toEqual(takenOver)
      expect(await uploads.takeOver(input.uploadId, wallAt)).toBeUndefined()
      expect(await isDue(input.uploadId)).toBe(true)
      await leased(input.uploadId)
      expect(await uploads.takeOver('nobody', wallAt)).toBeUndefined()
    })

    it('leaves a record alone that its request finished meanwhile', async () => {
      const scene = await newScene()
      const input = scene.acceptInput(['a'])
      const accept = await engine.stall('accept: queue', (other) => other.accept(input))
      await engine.advance(31_000)
      const takeOver = await engine.stall('take over upload: queue', (other) =>
        other.uploads.takeOver(input.uploadId, wallAt + 8),
      )
      expect(await accept()).toMatchObject({ outcome: 'accepted' })
      expect(await takeOver()).toBeUndefined()
      expect(await read(input.uploadId)).toMatchObject({ state: 'queued', updatedAt: wallAt })
    })

    it('ends an overdue accepting record of which nothing was written', async () => {
      const { uploads } = engine.store
      const scene = await newScene()
      const input = scene.acceptInput(['a'])
      await engine.stall('accept: insert items', (other) => other.accept(input))
      await engine.advance(31_000)
      expect(await uploads.takeOver(input.uploadId, wallAt + 8)).toMatchObject({
        state: 'failed',
        ids: [],
        finishedAt: wallAt + 8,
      })
      expect(await uploads.lease(input.uploadId, mint('lease'))).toBeUndefined()
      expect(await isDue(input.uploadId)).toBe(false)
    })

    it('re-opens a final upload that still has an item processing', async () => {
      const { uploads } = engine.store
      const scene = await newScene()
      const early = await scene.accepted(['a', 'b'], { at: 1_000 })
      const later = await scene.accepted(['c'], { at: 2_000 })
      for (const { id } of [early, later]) await uploads.complete(await leased(id), result)
      const { reopened } = await uploads.reopen({ after: 0, before: 2_000, limit: 1_000 })
      expect(reopened).toContain(early.id)
      expect(reopened).not.toContain(later.id)
      expect(await read(early.id)).toMatchObject({ state: 'queued', finishedAt: null, ids: ['a', 'b'] })
      expect((await uploads.reopen({ after: 0, before: 2_000, limit: 1_000 })).reopened).not.toContain(early.id)
      const lease = await leased(early.id)
      await engine.store.items.markIndexed(scene.namespaceId, early.id, [{ id: 'a', passages: 1 }])
      await engine.store.items.markFailed(scene.namespaceId, early.id, [{ id: 'b', reason: 'empty' }])
      await uploads.complete(lease, result)
      expect((await uploads.reopen({ after: 0, before: 2_000, limit: 1_000 })).reopened).not.toContain(early.id)
    })

    it('re-opens in ranges: each goes on where the former ended', async () => {
      const { uploads } = engine.store
      const scene = await newScene()
      const made: string[] = []
      for (const [at, ids] of [
        [1_100, ['a', 'b']],
        [1_200, ['c', 'd', 'e']],
        [1_300, ['f']],
      ] as const) {
        const { id } = await scene.accepted([...ids], { at })
        await uploads.complete(await leased(id), result)
        made.push(id)
      }
      const reopened: string[] = []
      const ends: (number | null)[] = []
      for (let after: number | null = 1_099; after !== null; ) {
        const range = await uploads.reopen({ after, before: 1_301, limit: 3 })
        reopened.push(...range.reopened)
        ends.push(range.next)
        after = range.next
      }
      // All items of the second range have the same time.
      expect(ends).toEqual([1_199, 1_200, null])
      expect(reopened).toEqual(made)
    })

    it('re-opens with the ids of writes that arrived after the record was taken over', async () => {
      const { uploads } = engine.store
      const scene = await newScene()
      const input = scene.acceptInput(['a', 'b'], { at: 1_000 })
      const goOn = await engine.stall('accept: insert items', (other) => other.accept(input), { element: 1 })
      await scene.accepted(documents(['a'], 'newer'))
      await engine.advance(31_000)
      expect(await uploads.takeOver(input.uploadId, wallAt)).toMatchObject({ state: 'failed', ids: [] })
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await scene.item('b')).toMatchObject({ version: input.uploadId, status: 'processing' })
      expect((await uploads.reopen({ after: 0, before: 2_000, limit: 1_000 })).reopened).toContain(input.uploadId)
      expect(await read(input.uploadId)).toMatchObject({ state: 'queued', ids: ['b'] })
      await leased(input.uploadId)
    })

    it.each(['queued again', 'final again'])('re-opens once, also when by then the upload is %s', async (by) => {
      const { uploads } = engine.store
      const scene = await newScene()
      const input = scene.acceptInput(['a', 'b'], { at: 1_000 })
      const goOn = await engine.stall('accept: insert items', (other) => other.accept(input), { element: 1 })
      await scene.accepted(documents(['a'], 'newer'))
      await engine.advance(31_000)
      await uploads.takeOver(input.uploadId, wallAt)
      await goOn().catch(() => undefined)
      const late = await engine.stall('reopen: queue', (other) =>
        other.uploads.reopen({ after: 0, before: 2_000, limit: 1_000 }),
      )
      expect((await uploads.reopen({ after: 0, before: 2_000, limit: 1_000 })).reopened).toContain(input.uploadId)
      if (by === 'final again') await uploads.complete(await leased(input.uploadId), { ...result, state: 'failed' })
      expect((await late()).reopened).not.toContain(input.uploadId)
      expect(await read(input.uploadId)).toMatchObject({
        state: by === 'final again' ? 'failed' : 'queued',
        ids: ['b'],
      })
      await uploads.removeOfNamespace(scene.namespaceId, 10)
    })

    it('forgets final records older than a time, some at once', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const finished = async (id: string, state: 'completed' | 'failed', at: number) => {
        const job = await scene.accepted([id], { leaseToken: 'mine' })
        await store.uploads.complete({ jobId: job.id, token: 'mine' }, { ...result, state, at })
        return job.id
      }
      const old = [
        await finished('a', 'completed', 10),
        await finished('b', 'failed', 20),
        await finished('c', 'completed', 30),
      ]
      const kept = [
        await finished('d', 'completed', 100),
        await finished('e', 'failed', 101),
        (await scene.accepted(['f'], { at: 5 })).id,
      ]
      const countOf = async (ids: readonly string[]) =>
        (await Promise.all(ids.map((id) => store.uploads.get(id)))).filter((job) => job !== undefined).length
      const pruned = await store.uploads.prune(100, 1)
      expect(pruned).toBeGreaterThan(0)
      expect(pruned + (await store.uploads.prune(100, 1_000))).toBe(3)
      expect(await store.uploads.prune(100, 1_000)).toBe(0)
      expect([await countOf(old), await countOf(kept)]).toEqual([0, 3])
      expect(await store.items.count(scene.namespaceId)).toBe(6)
    })

    it('keeps a record that was re-opened while it was about to be forgotten', async () => {
      const { uploads } = engine.store
      const job = await (await newScene()).accepted(['a'], { at: 50, leaseToken: 'mine' })
      await uploads.complete({ jobId: job.id, token: 'mine' }, { ...result, at: 50 })
      const prune = await engine.stall('uploads: prune', (other) => other.uploads.prune(60, 1_000))
      expect((await uploads.reopen({ after: 0, before: 60, limit: 1_000 })).reopened).toContain(job.id)
      await prune()
      expect(await read(job.id)).toMatchObject({ state: 'queued' })
    })
  })
