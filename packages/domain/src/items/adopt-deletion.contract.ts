import { expect, it } from 'vitest'
import { allOverdueMs, createScene, documents, mint, sweep, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const adoptDeletionContract = (group: Group) =>
  behaviour('adopt deletion', group, (store) => {
    it('never takes what was written after the request it resumes', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      const old = await scene.indexed(['a', 'b'])
      const input = scene.deleteInput(['a', 'b'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      const { id: version } = await scene.accepted(documents(['a'], 'newer'))
      await store.advance(allOverdueMs)
      const adopted = await metadata.deletions.adopt(input.deletionId, 'mine')
      expect(adopted).toMatchObject({
        state: 'running',
        itemsDone: true,
        lease: { token: 'mine' },
        leaseSeq: 1,
        starts: 1,
      })
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
      const adopted = (
        await Promise.all(tokens.map((token) => metadata.deletions.adopt(input.deletionId, token)))
      ).filter((job) => job !== undefined)
      expect(adopted).toHaveLength(1)
      const lease = { jobId: input.deletionId, token: adopted[0]?.lease?.token ?? '' }
      expect(tokens).toContain(lease.token)
      expect(await metadata.deletions.requeue(lease, { delayMs: 0, error: null, counted: false, fresh: true })).toBe(
        true,
      )
      expect(await metadata.deletions.lease(input.deletionId, 'next')).toMatchObject({
        state: 'running',
        itemsDone: true,
      })
      await store.advance(31_000)
      expect(await metadata.deletions.adopt(input.deletionId, mint('lease'))).toBeUndefined()
    })

    it.each([
      'adopt deletion: read namespace',
      'adopt deletion: remove items',
      'adopt deletion: read items',
      'adopt deletion: items done',
    ] as const)('is taken over again when whoever resumed it dies before “%s”', async (step) => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input), { element: 1 })
      await store.advance(allOverdueMs)
      await store.stall(step, (other) => other.deletions.adopt(input.deletionId, mint('lease')))
      await store.advance(allOverdueMs)
      // The worker continues only once the items are removed; a plain lease would skip their removal.
      expect(await metadata.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      await sweep(scene)
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({
        state: 'running',
        itemsDone: true,
        starts: 2,
      })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      await scene.expectExact()
    })

    it('is taken over again when whoever resumed it put it back unfinished', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.advance(allOverdueMs)
      await store.stall('adopt deletion: read namespace', (other) => other.deletions.adopt(input.deletionId, 'mine'))
      await metadata.deletions.requeue(
        { jobId: input.deletionId, token: 'mine' },
        { delayMs: 2_000, error: 'away', counted: false },
      )
      expect(await metadata.deletions.adopt(input.deletionId, mint('lease'))).toBeUndefined()
      await store.advance(2_100)
      expect(await metadata.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      expect(await metadata.deletions.adopt(input.deletionId, mint('lease'))).toMatchObject({
        state: 'running',
        itemsDone: true,
      })
      expect(await scene.item('a')).toBeUndefined()
      await sweep(scene)
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
      expect(await metadata.deletions.adopt(input.deletionId, 'mine')).toMatchObject({
        state: 'running',
        itemsDone: true,
      })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
    })

    it('is not taken over when its request finishes just before', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      const request = await store.stall('delete: queue', (other) => other.deleteItems(input))
      await store.advance(31_000)
      const adopt = await store.stall('adopt deletion: take', (other) =>
        other.deletions.adopt(input.deletionId, 'late'),
      )
      expect(await request()).toMatchObject({ deleted: ['a'] })
      expect(await adopt()).toBeUndefined()
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({
        state: 'queued',
        itemsDone: true,
        lease: null,
      })
      await scene.expectExact()
    })

    it('is not taken over by one that another came before', async () => {
      const { metadata } = store
      const scene = await createScene(metadata)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await store.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.advance(allOverdueMs)
      await store.stall('adopt deletion: read namespace', (other) =>
        other.deletions.adopt(input.deletionId, mint('lease')),
      )
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
      const former = await store.stall('adopt deletion: items done', (other) =>
        other.deletions.adopt(input.deletionId, 'former'),
      )
      await store.advance(31_000)
      const next = await store.stall('adopt deletion: items done', (other) =>
        other.deletions.adopt(input.deletionId, 'next'),
      )
      expect(await former()).toBeUndefined()
      expect(await metadata.deletions.get(input.deletionId)).toMatchObject({
        itemsDone: false,
        lease: { token: 'next' },
      })
      expect(await next()).toMatchObject({ itemsDone: true, lease: { token: 'next' } })
      await metadata.deletions.complete({ jobId: input.deletionId, token: 'next' }, { removed: {}, at: wallAt })
      await store.advance(allOverdueMs)
      await sweep(scene)
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
      const goOn = await store.stall('adopt deletion: read namespace', (other) =>
        other.deletions.adopt(input.deletionId, 'mine'),
      )
      await metadata.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await goOn()).toMatchObject({ state: 'running', itemsDone: true })
      expect(await metadata.items.count(scene.namespaceId)).toBe(1)
      expect(Object.keys((await scene.namespace()).open)).not.toContain('mine')
      expect(Object.keys((await scene.account()).reservations)).not.toContain('mine')
    })

    it.each(['adopt deletion: leave account', 'adopt deletion: leave namespace'] as const)(
      'counts once what a recovery has counted for who took it over (before “%s”)',
      async (step) => {
        const { metadata } = store
        const scene = await createScene(metadata)
        await scene.accepted(['a', 'b'])
        const input = scene.deleteInput(['a'])
        await store.stall('delete: remove items', (other) => other.deleteItems(input))
        await store.advance(allOverdueMs)
        const goOn = await store.stall(step, (other) => other.deletions.adopt(input.deletionId, 'mine'))
        await store.advance(allOverdueMs)
        // The change of the counts is already recorded, so the next worker only has to remove points.
        expect(await metadata.deletions.lease(input.deletionId, 'next')).toMatchObject({ itemsDone: true, changed: -1 })
        await metadata.recoverNamespace(scene.namespaceId, wallAt)
        await metadata.recoverAccount(scene.accountId)
        await scene.expectExact()
        await goOn()
        await scene.expectExact()
      },
    )
  })
