import { expect, it } from 'vitest'
import { allOverdueMs, createScene, documents, mint, sweep, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const acceptAmongOthersContract = (group: Group) =>
  behaviour('accept among others', group, (engine) => {
    it('reads again when an old version becomes indexed between its read and its write', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { id: first } = await scene.accepted(documents(['a'], 'first'))
      const input = scene.acceptInput(documents(['a'], 'second'))
      const goOn = await engine.stall('accept: overwrite items', (other) => other.accept(input))
      await store.items.markIndexed(scene.namespaceId, first, [{ id: 'a', passages: 2 }])
      expect(await goOn()).toMatchObject({ outcome: 'accepted', accepted: ['a'], inserted: 0 })
      // Search still returns the first body, not the second body under the first version.
      expect((await scene.item('a'))?.indexed).toEqual({
        version: first,
        passages: 2,
        body: { text: 'first of a', metadata: '{}' },
      })
    })

    it('reads again when another upload overwrites between its read and its write', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const first = await scene.indexed(documents(['a'], 'first'))
      const input = scene.acceptInput(documents(['a'], 'late'))
      const goOn = await engine.stall('accept: overwrite items', (other) => other.accept(input))
      await scene.accepted(documents(['a'], 'second'))
      expect(await goOn()).toMatchObject({ outcome: 'accepted', accepted: ['a'], inserted: 0 })
      expect(await scene.item('a')).toMatchObject({ version: input.uploadId, body: { text: 'late of a' } })
      expect((await scene.item('a'))?.indexed).toEqual({
        version: first,
        passages: 1,
        body: { text: 'first of a', metadata: '{}' },
      })
    })

    it('overwrites only the versions that it names, and inserts nothing', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const first = await scene.indexed(['a', 'b', 'c'])
      const second = await scene.indexed(['b'])
      await store.deleteItems(scene.deleteInput(['c']))
      const versions = new Map(['a', 'b', 'c', 'd'].map((id) => [id, first]))
      const input = scene.acceptInput(['a', 'b', 'c', 'd'], { versions })
      const result = await store.accept(input)
      expect(result).toMatchObject({ outcome: 'accepted', accepted: ['a'], overQuota: [], taken: [], inserted: 0 })
      expect(await store.uploads.get(input.uploadId)).toMatchObject({ state: 'queued', ids: ['a'], outcomes: [] })
      expect(await scene.item('a')).toMatchObject({ version: input.uploadId, status: 'processing' })
      expect(await scene.item('b')).toMatchObject({ version: second, status: 'completed' })
      for (const id of ['c', 'd']) expect(await scene.item(id)).toBeUndefined()
    })

    it('leaves alone what another upload overwrites, or a deletion removes, between its read and its write', async () => {
      const { store } = engine
      for (const other of ['upload', 'deletion'] as const) {
        const scene = await createScene(store)
        const first = await scene.indexed(['a', 'b'])
        const versions = new Map(['a', 'b'].map((id) => [id, first]))
        const input = scene.acceptInput(['a', 'b'], { versions })
        const goOn = await engine.stall('accept: overwrite items', (late) => late.accept(input))
        if (other === 'upload') await scene.accepted(['a'])
        else await store.deleteItems(scene.deleteInput(['a']))
        expect(await goOn()).toMatchObject({ outcome: 'accepted', accepted: ['b'], inserted: 0 })
        expect((await scene.item('a'))?.version).not.toBe(input.uploadId)
        expect(await store.uploads.get(input.uploadId)).toMatchObject({ ids: ['b'] })
        await scene.expectExact()
      }
    })

    it('writes nothing when it was held up for longer than a request may be before its first write', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = scene.acceptInput(['a'])
      const goOn = await engine.stall('accept: read items', (other) => other.accept(input))
      await engine.advance(20_001)
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await store.uploads.get(input.uploadId)).toBeUndefined()
      expect(await scene.item('a')).toBeUndefined()
      await scene.expectExact()
    })

    it('overwrites an id that another inserted meanwhile, and gives the place back', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = scene.acceptInput(['a', 'b'], { limit: 3 })
      const goOn = await engine.stall('accept: insert items', (other) => other.accept(input))
      await scene.accepted(documents(['a'], 'first'), { limit: 3 })
      expect(await goOn()).toMatchObject({ outcome: 'accepted', inserted: 1, overQuota: [] })
      expect(await scene.item('a')).toMatchObject({ version: input.uploadId, body: { text: 'text of a' } })
      await scene.expectExact()
    })

    it('reserves one more for an id that vanished meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const goOn = await engine.stall('accept: overwrite items', (other) =>
        other.accept(scene.acceptInput(['a', 'b'], { limit: 2 })),
      )
      await store.deleteItems(scene.deleteInput(['a']))
      expect(await goOn()).toMatchObject({ outcome: 'accepted', inserted: 2, overQuota: [] })
      await scene.expectExact()
    })

    it('fails one document where its place went to another meanwhile, and takes the rest', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.acceptInput(['a', 'b'], { limit: 2 })
      const goOn = await engine.stall('accept: overwrite items', (other) => other.accept(input))
      await store.deleteItems(scene.deleteInput(['a']))
      await scene.accepted(['c'], { limit: 2 })
      expect(await goOn()).toMatchObject({
        outcome: 'accepted',
        accepted: ['b'],
        overQuota: ['a'],
        inserted: 1,
        job: { state: 'queued', ids: ['b'], outcomes: [{ id: 'a', outcome: 'failed', reason: 'quota_exceeded' }] },
      })
      expect(await scene.item('a')).toBeUndefined()
      await scene.expectExact()
    })

    it('ends the job at once when no document found a place', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const goOn = await engine.stall('accept: overwrite items', (other) =>
        other.accept(scene.acceptInput(['a'], { limit: 1 })),
      )
      await store.deleteItems(scene.deleteInput(['a']))
      await scene.accepted(['c'], { limit: 1 })
      expect(await goOn()).toMatchObject({
        outcome: 'accepted',
        accepted: [],
        overQuota: ['a'],
        job: { state: 'failed', ids: [], finishedAt: wallAt },
      })
      await scene.expectExact()
    })

    it('comes too late for a namespace whose deletion began meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const goOn = await engine.stall('accept: enter namespace', (other) => other.accept(scene.acceptInput(['a'])))
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await goOn()).toEqual({ outcome: 'namespaceGone' })
      expect(await scene.account()).toMatchObject({ held: { documents: 0 }, reservations: {}, reservationCount: 0 })
    })

    it('is never answered for once its record was taken over', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = scene.acceptInput(['a', 'b'])
      const goOn = await engine.stall('accept: queue', (other) => other.accept(input))
      await engine.advance(31_000)
      expect(await store.uploads.takeOver(input.uploadId, wallAt)).toMatchObject({ state: 'queued', ids: ['a', 'b'] })
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      await store.recoverAccount(scene.accountId)
      expect((await scene.account()).reservationCount).toBe(1)
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('leaves once: what a recovery has already counted is not counted again', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const goOn = await engine.stall('accept: leave namespace', (other) => other.accept(scene.acceptInput(['a', 'b'])))
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await goOn()
      await scene.expectExact()
    })

    it('refuses the id of an upload that is under way, which goes on', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = scene.acceptInput(['a'])
      const goOn = await engine.stall('accept: queue', (other) => other.accept(input))
      await expect(store.accept({ ...input, documents: documents(['b', 'c']) })).rejects.toMatchObject({
        code: 'conflict',
      })
      expect(await scene.account()).toMatchObject({ held: { documents: 1 }, reservationCount: 1 })
      expect(await goOn()).toMatchObject({ outcome: 'accepted' })
      await scene.expectExact()
    })

    it('gives back once what it did not use', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const goOn = await engine.stall('accept: leave account unused', (other) =>
        other.accept(scene.acceptInput(['a'], { namespaceId: 'nowhere' })),
      )
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await goOn()).toEqual({ outcome: 'namespaceGone' })
      await scene.expectExact()
    })

    it('reserves nothing more once its entry was counted out', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const write = await engine.stall('accept: overwrite items', (other) => other.accept(scene.acceptInput(['a'])))
      await store.deleteItems(scene.deleteInput(['a']))
      await engine.advance(allOverdueMs)
      await sweep(scene)
      // The upload's only item was deleted, and the sweep ended the upload's record.
      await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
      await scene.expectExact()
    })
  })
