import { expect, it } from 'vitest'
import { allOverdueMs, createScene, mint, sweep, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { DeleteItemsResult } from './delete-items.ts'

const steps = [
  'delete: enter account',
  'delete: enter namespace',
  'delete: record',
  'delete: remove items',
  'delete: queue',
  'delete: leave account',
  'delete: leave namespace',
] as const

export const deleteItemsContract = (group: Group) =>
  behaviour('delete items', group, (engine) => {
    it('removes items at once, counts, and records which points are to go', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const first = await scene.indexed(['a', 'b', 'c'])
      const second = await scene.indexed(['a'])
      const { id: third } = await scene.accepted(['a'])
      const input = scene.deleteInput(['b', 'nobody', 'a'], { traceparent: '00-1-2-01' })
      const result = await store.deleteItems(input)
      if (!('deletion' in result)) throw new Error(result.outcome)
      expect(result).toMatchObject({ outcome: 'deleted', remaining: 1 })
      expect(result.deleted.toSorted()).toEqual(['a', 'b'])
      expect(result.deletion).toMatchObject({
        id: input.deletionId,
        accountId: scene.accountId,
        namespaceId: scene.namespaceId,
        namespaceName: scene.name,
        space: input.space,
        target: 'items',
        state: 'queued',
        waiting: 'fresh',
        itemsDone: true,
        rechecks: 0,
        removed: {},
        lease: null,
        starts: 0,
        attempts: 0,
        traceparent: '00-1-2-01',
        createdAt: wallAt,
        finishedAt: null,
      })
      expect(result.deletion?.list).toEqual([
        { id: 'b', version: first, indexedVersion: first, stale: [] },
        { id: 'a', version: third, indexedVersion: second, stale: [first] },
      ])
      expect(await store.deletions.get(input.deletionId)).toEqual(result.deletion)
      expect(await scene.item('a')).toBeUndefined()
      expect((await store.items.page(scene.namespaceId, { limit: 9 })).map(({ id }) => id)).toEqual(['c'])
      await scene.expectExact()
    })

    it('removes the versions it is given, and no others of these ids', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const former = await scene.indexed(['a', 'b'])
      const latest = await scene.indexed(['b'])
      const versions = new Map([
        ['a', former],
        ['b', former],
      ])
      const result = await store.deleteItems({ ...scene.deleteInput(['a', 'b']), versions })
      expect(result).toMatchObject({ outcome: 'deleted', deleted: ['a'], remaining: 1 })
      expect(await scene.item('b')).toMatchObject({ version: latest })
      await scene.expectExact()
    })

    it('has nothing to record when none of the ids is there', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['x', 'y'])
      expect(await store.deleteItems(input)).toEqual({
        outcome: 'deleted',
        deleted: [],
        remaining: 1,
        deletion: undefined,
      })
      expect(await store.deletions.get(input.deletionId)).toBeUndefined()
      await scene.expectExact()
    })

    it('removes an id named twice once', async () => {
      const scene = await createScene(engine.store)
      await scene.accepted(['a', 'b'])
      expect(await engine.store.deleteItems(scene.deleteInput(['a', 'a']))).toMatchObject({
        deleted: ['a'],
        remaining: 1,
      })
      await scene.expectExact()
    })

    it('works on vectors', async () => {
      const scene = await createScene(engine.store, 'vector')
      await scene.accepted(
        times(3, (index) => ({ id: `v${index}`, body: { text: '', metadata: '{}', vector: Float32Array.of(index) } })),
      )
      expect(await engine.store.deleteItems(scene.deleteInput(['v1']))).toMatchObject({
        deleted: ['v1'],
        remaining: 2,
      })
      expect(await scene.account()).toMatchObject({ counts: { documents: 0, vectors: 2 }, held: { vectors: 2 } })
    })

    it('refuses a namespace that is not there or being deleted', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      expect(await store.deleteItems(scene.deleteInput(['a'], { namespaceId: 'nowhere' }))).toEqual({
        outcome: 'namespaceGone',
      })
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await store.deleteItems(scene.deleteInput(['a']))).toEqual({ outcome: 'namespaceGone' })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      expect(await scene.account()).toMatchObject({ reservations: {}, reservationCount: 0 })
    })

    it('makes an id that comes back a new item', async () => {
      const scene = await createScene(engine.store)
      await scene.indexed(['a'])
      await engine.store.deleteItems(scene.deleteInput(['a']))
      const { id: version } = await scene.accepted(['a'], { at: wallAt + 7 })
      expect(await scene.item('a')).toMatchObject({
        version,
        status: 'processing',
        indexed: null,
        stale: [],
        createdAt: wallAt + 7,
      })
    })

    it('deletes each item once under 64 parallel callers', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const ids = times(20, (index) => `i${index}`)
      await scene.accepted([...ids, 'kept'])
      const calls = times(64, (index) =>
        store.deleteItems(scene.deleteInput([ids[index % 20] as string, ids[(index * 7) % 20] as string])),
      )
      const deleted = (await Promise.all(calls)).flatMap((result: DeleteItemsResult) =>
        result.outcome === 'deleted' ? result.deleted : [],
      )
      expect(deleted.toSorted()).toEqual(ids.toSorted())
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      await scene.expectExact()
    })

    it.each(steps)('is finished by a sweep when it is cut off before “%s”', async (step) => {
      const { store } = engine
      const scene = await createScene(store)
      const version = await scene.indexed(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await engine.stall(step, (other) => other.deleteItems(input))
      const recorded = steps.indexOf(step) > steps.indexOf('delete: record')
      const queued = steps.indexOf(step) > steps.indexOf('delete: queue')
      expect(await store.deletions.takeOver(input.deletionId, mint('lease'))).toBeUndefined()
      if (!queued) expect(await store.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      await store.recoverAccount(scene.accountId)
      await store.recoverNamespace(scene.namespaceId, wallAt)
      const entered = steps.indexOf(step) > 0 && step !== 'delete: leave namespace'
      expect((await scene.account()).reservationCount).toBe(entered ? 1 : 0)
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
      expect(await store.items.count(scene.namespaceId)).toBe(recorded ? 1 : 3)
      const deletion = await store.deletions.get(input.deletionId)
      if (!recorded) expect(deletion).toBeUndefined()
      else
        expect(deletion).toMatchObject({
          itemsDone: true,
          list: [
            { id: 'a', version },
            { id: 'b', version },
          ],
        })
    })

    it('is finished by a sweep when it is cut off between two items', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input), { element: 1 })
      expect(await scene.item('a')).toBeUndefined()
      expect(await scene.item('b')).toBeDefined()
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      await scene.expectExact()
    })

    it('removes what was written over it meanwhile, and lists both versions', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const first = await scene.indexed(['a', 'b'])
      const input = scene.deleteInput(['a', 'b'])
      const goOn = await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      const { id: second } = await scene.accepted(['a'])
      const result = await goOn()
      expect(result).toMatchObject({ outcome: 'deleted', remaining: 0 })
      if (!('deletion' in result)) throw new Error(result.outcome)
      expect(result.deleted.toSorted()).toEqual(['a', 'b'])
      expect(result.deletion?.list).toEqual([
        { id: 'a', version: first, indexedVersion: first, stale: [] },
        { id: 'b', version: first, indexedVersion: first, stale: [] },
        { id: 'a', version: second, indexedVersion: first, stale: [] },
      ])
      await scene.expectExact()
    })

    it('does not answer for an item that another deleted meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const goOn = await engine.stall('delete: remove items', (other) =>
        other.deleteItems(scene.deleteInput(['a', 'b'])),
      )
      expect(await store.deleteItems(scene.deleteInput(['a']))).toMatchObject({ deleted: ['a'] })
      expect(await goOn()).toMatchObject({ deleted: ['b'], remaining: 0 })
      await scene.expectExact()
    })

    it.each(['delete: remove items', 'delete: queue'] as const)(
      'is never answered for once its record was taken over (before “%s”)',
      async (step) => {
        const { store } = engine
        const scene = await createScene(store)
        await scene.accepted(['a', 'b'])
        const input = scene.deleteInput(['a'])
        const goOn = await engine.stall(step, (other) => other.deleteItems(input))
        if (step === 'delete: remove items') await scene.accepted(['a'])
        await engine.advance(31_000)
        expect(await store.deletions.takeOver(input.deletionId, mint('lease'))).toMatchObject({ itemsDone: true })
        await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
        await engine.advance(allOverdueMs)
        await sweep(scene)
        expect(await store.items.count(scene.namespaceId)).toBe(step === 'delete: remove items' ? 2 : 1)
        await scene.expectExact()
      },
    )

    it('comes too late for a namespace whose deletion began meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const goOn = await engine.stall('delete: enter namespace', (other) => other.deleteItems(scene.deleteInput(['a'])))
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await goOn()).toEqual({ outcome: 'namespaceGone' })
      expect(await scene.account()).toMatchObject({ reservations: {}, reservationCount: 0 })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
    })

    it('refuses the id of a deletion that is under way, which goes on', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      const goOn = await engine.stall('delete: queue', (other) => other.deleteItems(input))
      await expect(store.deleteItems({ ...input, ids: ['b'] })).rejects.toMatchObject({ code: 'conflict' })
      expect(await goOn()).toMatchObject({ deleted: ['a'] })
      await scene.expectExact()
    })

    it.each(['delete: leave namespace', 'delete: leave account'] as const)(
      'counts once what a recovery has already counted (before “%s”)',
      async (step) => {
        const { store } = engine
        const scene = await createScene(store)
        await scene.accepted(['a', 'b'])
        const goOn = await engine.stall(step, (other) => other.deleteItems(scene.deleteInput(['a'])))
        await engine.advance(allOverdueMs)
        await sweep(scene)
        expect(await goOn()).toMatchObject({ outcome: 'deleted', deleted: ['a'], remaining: 1 })
        await scene.expectExact()
      },
    )

    it.each(['accept: leave account', 'accept: leave namespace'] as const)(
      'never answers with fewer than no items (before “%s” of the upload)',
      async (step) => {
        const { store } = engine
        const scene = await createScene(store)
        const goOn = await engine.stall(step, (other) => other.accept(scene.acceptInput(['a', 'b'])))
        expect(await store.deleteItems(scene.deleteInput(['a']))).toMatchObject({ deleted: ['a'], remaining: 0 })
        expect(await store.deleteItems(scene.deleteInput(['a']))).toMatchObject({ deleted: [], remaining: 0 })
        await goOn()
        await scene.expectExact()
      },
    )

    it('gives back once an entry it did not use', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const doomed = await createScene(store)
      await doomed.accepted(['a'])
      const enter = await engine.stall('delete: enter namespace', (other) =>
        other.deleteItems(doomed.deleteInput(['a'], { accountId: scene.accountId })),
      )
      await store.beginNamespaceDeletion(doomed.namespaceId, mint('del'), wallAt)
      await engine.advance(allOverdueMs)
      await sweep(scene)
      expect(await enter()).toEqual({ outcome: 'namespaceGone' })
      await scene.expectExact()
    })
  })
