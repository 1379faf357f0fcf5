import { expect, it } from 'vitest'
import type { DeleteItemsResult } from '../port.ts'
import { behaviour, type Group } from './fixture.ts'
import { allOverdueMs, createScene, documents, mint, sweep, times, wallAt } from './scene.ts'

const steps = [
  'delete: enter account',
  'delete: enter namespace',
  'delete: record',
  'delete: remove items',
  'delete: queue',
  'delete: leave namespace',
  'delete: leave account',
]

export const deleteItemsContract = (group: Group) =>
  behaviour('delete items', group, (store) => {
    it('removes items at once, counts, and records which points are to go', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const first = await scene.indexed(['a', 'b', 'c'])
      const second = await scene.indexed(['a'])
      const { id: third } = await scene.accepted(['a'])
      const input = scene.deleteInput(['b', 'nobody', 'a'], { traceparent: '00-1-2-01' })
      const result = await metadata.deleteItems(input)
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
      expect(await metadata.deletions.get(input.deletionId)).toEqual(result.deletion)
      expect(await scene.item('a')).toBeUndefined()
      expect((await metadata.items.page(scene.namespaceId, { limit: 9 })).map(({ id }) => id)).toEqual(['c'])
      await scene.expectExact()
    })

    it('has nothing to record when none of the ids is there', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['x', 'y'])
      expect(await metadata.deleteItems(input)).toEqual({ outcome: 'deleted', deleted: [], remaining: 1, deletion: undefined })
      expect(await metadata.deletions.get(input.deletionId)).toBeUndefined()
      await scene.expectExact()
    })

    it('removes an id named twice once', async () => {
      const scene = await createScene(store.metadata)
      await scene.accepted(['a', 'b'])
      expect(await store.metadata.deleteItems(scene.deleteInput(['a', 'a']))).toMatchObject({ deleted: ['a'], remaining: 1 })
      await scene.expectExact()
    })

    it('works on vectors', async () => {
      const scene = await createScene(store.metadata, 'vector')
      await scene.accepted(times(3, (index) => ({ id: `v${index}`, body: { text: '', metadata: '{}', vector: Float32Array.of(index) } })))
      expect(await store.metadata.deleteItems(scene.deleteInput(['v1']))).toMatchObject({ deleted: ['v1'], remaining: 2 })
      expect(await scene.account()).toMatchObject({ counts: { documents: 0, vectors: 2 }, held: { vectors: 2 } })
    })

    it('refuses a namespace that is not there or being deleted', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      expect(await metadata.deleteItems(scene.deleteInput(['a'], { namespaceId: 'nowhere' }))).toEqual({ outcome: 'namespaceGone' })
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await metadata.deleteItems(scene.deleteInput(['a']))).toEqual({ outcome: 'namespaceGone' })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      expect(await scene.account()).toMatchObject({ reservations: {}, reservationCount: 0 })
    })

    it('makes an id that comes back a new item', async () => {
      const scene = await createScene(store.metadata)
      await scene.indexed(['a'])
      await store.metadata.deleteItems(scene.deleteInput(['a']))
      const { id: version } = await scene.accepted(['a'], { at: wallAt + 7 })
      expect(await scene.item('a')).toMatchObject({ version, status: 'processing', indexed: null, stale: [], createdAt: wallAt + 7 })
    })

    it('deletes each item once under 64 parallel callers', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const ids = times(20, (index) => `i${index}`)
      await scene.accepted([...ids, 'kept'])
      const calls = times(64, (index) =>
        metadata.deleteItems(scene.deleteInput([ids[index % 20] as string, ids[(index * 7) % 20] as string])),
      )
      const deleted = (await Promise.all(calls)).flatMap((result: DeleteItemsResult) =>
        result.outcome === 'deleted' ? result.deleted : [],
      )
      expect(deleted.toSorted()).toEqual(ids.toSorted())
      expect(await scene.namespace()).toMatchObject({ itemCount: 1 })
      await scene.expectExact()
    })

    it.each(steps)('is finished by a sweep when it is cut off before “%s”', async (step) => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const version = await scene.indexed(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await store.stall(step, (other) => other.deleteItems(input))
      const recorded = steps.indexOf(step) > steps.indexOf('delete: record')
      const queued = steps.indexOf(step) > steps.indexOf('delete: queue')
      expect(await metadata.deletions.adopt(input.deletionId, mint('lease'))).toBeUndefined()
      if (!queued) expect(await metadata.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      if (steps.indexOf(step) > 0) expect(await metadata.recountAccount(scene.accountId, { force: true })).toBe('busy')
      await store.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
      expect(await metadata.items.count(scene.namespaceId)).toBe(recorded ? 1 : 3)
      const deletion = await metadata.deletions.get(input.deletionId)
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
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input), 1)
      expect(await scene.item('a')).toBeUndefined()
      expect(await scene.item('b')).toBeDefined()
      await store.advance(allOverdueMs)
      await sweep(scene)
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      await scene.expectExact()
    })

    it('never takes what was written after the request it resumes', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const old = await scene.indexed(['a', 'b'])
      const input = scene.deleteInput(['a', 'b'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      const { id: version } = await scene.accepted(documents(['a'], 'newer'))
      await store.advance(allOverdueMs)
      const adopted = await metadata.deletions.adopt(input.deletionId, 'mine')
      expect(adopted).toMatchObject({ state: 'running', itemsDone: true, lease: { token: 'mine' }, leaseSeq: 1, starts: 1 })
      expect(adopted?.list).toEqual(['a', 'b'].map((id) => ({ id, version: old, indexedVersion: old, stale: [] })))
      expect(await scene.item('a')).toMatchObject({ version, body: { text: 'newer of a' }, indexed: { version: old } })
      expect(await scene.item('b')).toBeUndefined()
      await sweep(scene)
      await scene.expectExact()
    })

    it('is taken over once, and goes on from there as any leased job', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: queue', (other) => other.deleteItems(input))
      expect((await metadata.deletions.due(10_000)).map(({ id }) => id)).not.toContain(input.deletionId)
      await store.advance(31_000)
      expect((await metadata.deletions.due(10_000)).map(({ id }) => id)).toContain(input.deletionId)
      expect(await metadata.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      const tokens = times(8, () => mint('lease'))
      const adopted = (await Promise.all(tokens.map((token) => metadata.deletions.adopt(input.deletionId, token)))).filter(
        (job) => job !== undefined,
      )
      expect(adopted).toHaveLength(1)
      const lease = { jobId: input.deletionId, token: adopted[0]?.lease?.token ?? '' }
      expect(tokens).toContain(lease.token)
      expect(await metadata.deletions.requeue(lease, { delayMs: 0, error: null, counted: false, fresh: true })).toBe(true)
      expect(await metadata.deletions.lease(input.deletionId, 'next')).toMatchObject({ state: 'running', itemsDone: true })
      await store.advance(31_000)
      expect(await metadata.deletions.adopt(input.deletionId, mint('lease'))).toBeUndefined()
    })

    it.each([
      'adopt deletion: enter account',
      'adopt deletion: enter namespace',
      'adopt deletion: remove items',
      'adopt deletion: leave namespace',
      'adopt deletion: leave account',
      'adopt deletion: items done',
    ])('is taken over again when whoever resumed it dies before “%s”', async (step) => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input), 1)
      await store.advance(allOverdueMs)
      await store.stall(step, (other) => other.deletions.adopt(input.deletionId, mint('lease')))
      await store.advance(allOverdueMs)
      // Work may only go on once the items are gone: a plain lease would skip that.
      expect(await metadata.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      await sweep(scene)
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({ state: 'running', itemsDone: true, starts: 2 })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      await scene.expectExact()
    })

    it('takes over the deletion of a namespace that is going away without touching its items', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      await store.advance(allOverdueMs)
      expect(await metadata.deletions.adopt(input.deletionId, 'mine')).toMatchObject({ state: 'running', itemsDone: true })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
    })

    it('removes what was written over it meanwhile, and lists both versions', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const first = await scene.indexed(['a', 'b'])
      const input = scene.deleteInput(['a', 'b'])
      const goOn = await store.stall('delete: remove items', (other) => other.deleteItems(input))
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
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const goOn = await store.stall('delete: remove items', (other) => other.deleteItems(scene.deleteInput(['a', 'b'])))
      expect(await metadata.deleteItems(scene.deleteInput(['a']))).toMatchObject({ deleted: ['a'] })
      expect(await goOn()).toMatchObject({ deleted: ['b'], remaining: 0 })
      await scene.expectExact()
    })

    it.each(['delete: remove items', 'delete: queue'])(
      'is never answered for once its record was taken over (before “%s”)',
      async (step) => {
        const { metadata } = store
        const scene = await createScene(metadata)
        await scene.accepted(['a', 'b'])
        const input = scene.deleteInput(['a'])
        const goOn = await store.stall(step, (other) => other.deleteItems(input))
        if (step === 'delete: remove items') await scene.accepted(['a'])
        await store.advance(31_000)
        expect(await metadata.deletions.adopt(input.deletionId, mint('lease'))).toMatchObject({ itemsDone: true })
        await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
        await store.advance(allOverdueMs)
        await sweep(scene)
        expect(await metadata.items.count(scene.namespaceId)).toBe(step === 'delete: remove items' ? 2 : 1)
        await scene.expectExact()
      },
    )

    it('comes too late for a namespace whose deletion began meanwhile', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const goOn = await store.stall('delete: enter namespace', (other) => other.deleteItems(scene.deleteInput(['a'])))
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await goOn()).toEqual({ outcome: 'namespaceGone' })
      expect(await scene.account()).toMatchObject({ reservations: {}, reservationCount: 0 })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
    })

    it('refuses the id of a deletion that is under way, which goes on', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      const goOn = await store.stall('delete: queue', (other) => other.deleteItems(input))
      await expect(metadata.deleteItems({ ...input, ids: ['b'] })).rejects.toMatchObject({ code: 'conflict' })
      expect(await goOn()).toMatchObject({ deleted: ['a'] })
      await scene.expectExact()
    })

    it.each(['delete: leave namespace', 'delete: leave account'])('counts once what a recount has already counted (before “%s”)', async (step) => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const goOn = await store.stall(step, (other) => other.deleteItems(scene.deleteInput(['a'])))
      await store.advance(allOverdueMs)
      await sweep(scene)
      expect(await goOn()).toMatchObject({ outcome: 'deleted', deleted: ['a'], remaining: 1 })
      await scene.expectExact()
    })

    it('gives back once an entry it did not use', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const doomed = await createScene(metadata)
      await doomed.accepted(['a'])
      const enter = await store.stall('delete: enter namespace', (other) => other.deleteItems(doomed.deleteInput(['a'], { accountId: scene.accountId })))
      await metadata.beginNamespaceDeletion(doomed.namespaceId, mint('del'), wallAt)
      await store.advance(allOverdueMs)
      await sweep(scene)
      expect(await enter()).toEqual({ outcome: 'namespaceGone' })
      await scene.expectExact()
    })

    it('is not taken over when its request finishes just before', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      const request = await store.stall('delete: queue', (other) => other.deleteItems(input))
      await store.advance(31_000)
      const adopt = await store.stall('adopt deletion: take', (other) => other.deletions.adopt(input.deletionId, 'late'))
      expect(await request()).toMatchObject({ deleted: ['a'] })
      expect(await adopt()).toBeUndefined()
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({ state: 'queued', itemsDone: true, lease: null })
      await scene.expectExact()
    })

    it('is not taken over by one that another came before', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.advance(allOverdueMs)
      await store.stall('adopt deletion: enter account', (other) => other.deletions.adopt(input.deletionId, mint('lease')))
      await store.advance(31_000)
      const late = await store.stall('adopt deletion: take', (other) => other.deletions.adopt(input.deletionId, 'late'))
      expect(await metadata.deletions.adopt(input.deletionId, 'next')).toMatchObject({ lease: { token: 'next' } })
      expect(await late()).toBeUndefined()
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({ lease: { token: 'next' }, leaseSeq: 2 })
    })

    it('is done with its items only for who holds its lease', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.advance(allOverdueMs)
      const former = await store.stall('adopt deletion: items done', (other) => other.deletions.adopt(input.deletionId, 'former'))
      await store.advance(31_000)
      const next = await store.stall('adopt deletion: items done', (other) => other.deletions.adopt(input.deletionId, 'next'))
      expect(await former()).toBeUndefined()
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({ itemsDone: false, lease: { token: 'next' } })
      expect(await next()).toMatchObject({ itemsDone: true, lease: { token: 'next' } })
      await metadata.deletions.complete({ jobId: input.deletionId, token: 'next' }, { removed: {}, at: wallAt })
      await store.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('is not taken over while entry is closed, but after', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.advance(allOverdueMs)
      for (const target of [{ accountId: scene.accountId }, { namespaceId: scene.namespaceId }]) {
        await metadata.closeEntry(target)
        await expect(metadata.deletions.adopt(input.deletionId, mint('lease'))).rejects.toMatchObject({ code: 'unavailable' })
        expect(await scene.item('a')).toBeDefined()
        await store.advance(allOverdueMs)
      }
      await sweep(scene)
      expect(await scene.item('a')).toBeUndefined()
      await scene.expectExact()
    })

    it('leaves the items alone when their namespace’s deletion begins while it is taken over', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: record', (other) => other.deleteItems({ ...input, deletionId: mint('del') }))
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.advance(allOverdueMs)
      const goOn = await store.stall('adopt deletion: enter namespace', (other) => other.deletions.adopt(input.deletionId, 'mine'))
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await goOn()).toMatchObject({ state: 'running', itemsDone: true })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      expect(Object.keys((await scene.namespace()).open)).not.toContain('mine')
      expect(Object.keys((await scene.account()).reservations)).not.toContain('mine')
    })

    it.each(['adopt deletion: leave namespace', 'adopt deletion: leave account'])(
      'counts once what a recount has counted for who took it over (before “%s”)',
      async (step) => {
        const { metadata } = store
        const scene = await createScene(metadata)
        await scene.accepted(['a', 'b'])
        const input = scene.deleteInput(['a'])
        await store.stall('delete: remove items', (other) => other.deleteItems(input))
        await store.advance(allOverdueMs)
        const goOn = await store.stall(step, (other) => other.deletions.adopt(input.deletionId, 'mine'))
        await store.advance(allOverdueMs)
        expect(await metadata.recountNamespace(scene.namespaceId)).toBe('recounted')
        expect(await metadata.recountAccount(scene.accountId)).toBe('recounted')
        await scene.expectExact()
        await goOn()
        await scene.expectExact()
      },
    )
  })
