import { expect, it } from 'vitest'
import { allOverdueMs, createScene, documents, mint, sweep, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const takeOverDeletionContract = (group: Group) =>
  behaviour('take over deletion', group, (engine) => {
    it('never takes what was written after the request it resumes', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const old = await scene.indexed(['a', 'b'])
      const input = scene.deleteInput(['a', 'b'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      const { id: version } = await scene.accepted(documents(['a'], 'newer'))
      await engine.advance(allOverdueMs)
      const takenOver = await store.deletions.takeOver(input.deletionId, 'mine')
      expect(takenOver).toMatchObject({
        state: 'running',
        itemsDone: true,
        lease: { token: 'mine' },
        leaseSeq: 1,
        starts: 1,
      })
      expect(takenOver?.list).toEqual(['a', 'b'].map((id) => ({ id, version: old, indexedVersion: old, stale: [] })))
      expect(await scene.item('a')).toMatchObject({ version, body: { text: 'newer of a' }, indexed: { version: old } })
      expect(await scene.item('b')).toBeUndefined()
      await sweep(scene)
      await scene.expectExact()
    })

    it('is taken over once, and then runs like any leased job', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await engine.stall('delete: queue', (other) => other.deleteItems(input))
      expect((await store.deletions.due(10_000)).map(({ id }) => id)).not.toContain(input.deletionId)
      await engine.advance(31_000)
      expect((await store.deletions.due(10_000)).map(({ id }) => id)).toContain(input.deletionId)
      expect(await store.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      const tokens = times(8, () => mint('lease'))
      const takenOver = (
        await Promise.all(tokens.map((token) => store.deletions.takeOver(input.deletionId, token)))
      ).filter((job) => job !== undefined)
      expect(takenOver).toHaveLength(1)
      const lease = { jobId: input.deletionId, token: takenOver[0]?.lease?.token ?? '' }
      expect(tokens).toContain(lease.token)
      expect(await store.deletions.requeue(lease, { delayMs: 0, error: null, counted: false, fresh: true })).toBe(true)
      expect(await store.deletions.lease(input.deletionId, 'next')).toMatchObject({
        state: 'running',
        itemsDone: true,
      })
      await engine.advance(31_000)
      expect(await store.deletions.takeOver(input.deletionId, mint('lease'))).toBeUndefined()
    })

    it.each([
      'take over deletion: read namespace',
      'take over deletion: remove items',
      'take over deletion: read items',
      'take over deletion: items done',
    ] as const)('is taken over again when whoever resumed it dies before “%s”', async (step) => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b', 'c'])
      const input = scene.deleteInput(['a', 'b'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input), { element: 1 })
      await engine.advance(allOverdueMs)
      await engine.stall(step, (other) => other.deletions.takeOver(input.deletionId, mint('lease')))
      await engine.advance(allOverdueMs)
      // The worker continues only once the items are removed; a plain lease would skip their removal.
      expect(await store.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      await sweep(scene)
      expect(await store.deletions.get(input.deletionId)).toMatchObject({
        state: 'running',
        itemsDone: true,
        starts: 2,
      })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      await scene.expectExact()
    })

    it('is taken over again when whoever resumed it put it back unfinished', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      await engine.advance(allOverdueMs)
      await engine.stall('take over deletion: read namespace', (other) =>
        other.deletions.takeOver(input.deletionId, 'mine'),
      )
      await store.deletions.requeue(
        { jobId: input.deletionId, token: 'mine' },
        { delayMs: 2_000, error: 'away', counted: false },
      )
      expect(await store.deletions.takeOver(input.deletionId, mint('lease'))).toBeUndefined()
      await engine.advance(2_100)
      expect(await store.deletions.lease(input.deletionId, mint('lease'))).toBeUndefined()
      expect(await store.deletions.takeOver(input.deletionId, mint('lease'))).toMatchObject({
        state: 'running',
        itemsDone: true,
      })
      expect(await scene.item('a')).toBeUndefined()
      await sweep(scene)
      await scene.expectExact()
    })

    it('takes over the deletion of a namespace that is going away without touching its items', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      await engine.advance(allOverdueMs)
      expect(await store.deletions.takeOver(input.deletionId, 'mine')).toMatchObject({
        state: 'running',
        itemsDone: true,
      })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
    })

    it('is not taken over when its request finishes just before', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      const request = await engine.stall('delete: queue', (other) => other.deleteItems(input))
      await engine.advance(31_000)
      const takeOver = await engine.stall('take over deletion: take', (other) =>
        other.deletions.takeOver(input.deletionId, 'late'),
      )
      expect(await request()).toMatchObject({ deleted: ['a'] })
      expect(await takeOver()).toBeUndefined()
      expect(await store.deletions.get(input.deletionId)).toMatchObject({
        state: 'queued',
        itemsDone: true,
        lease: null,
      })
      await scene.expectExact()
    })

    it('is not taken over by one that another came before', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      await engine.advance(allOverdueMs)
      await engine.stall('take over deletion: read namespace', (other) =>
        other.deletions.takeOver(input.deletionId, mint('lease')),
      )
      await engine.advance(31_000)
      const late = await engine.stall('take over deletion: take', (other) =>
        other.deletions.takeOver(input.deletionId, 'late'),
      )
      expect(await store.deletions.takeOver(input.deletionId, 'next')).toMatchObject({ lease: { token: 'next' } })
      expect(await late()).toBeUndefined()
      expect(await store.deletions.get(input.deletionId)).toMatchObject({ lease: { token: 'next' }, leaseSeq: 2 })
    })

    it('is done with its items only for who holds its lease', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const input = scene.deleteInput(['a'])
      await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      await engine.advance(allOverdueMs)
      const former = await engine.stall('take over deletion: items done', (other) =>
        other.deletions.takeOver(input.deletionId, 'former'),
      )
      await engine.advance(31_000)
      const next = await engine.stall('take over deletion: items done', (other) =>
        other.deletions.takeOver(input.deletionId, 'next'),
      )
      expect(await former()).toBeUndefined()
      expect(await store.deletions.get(input.deletionId)).toMatchObject({
        itemsDone: false,
        lease: { token: 'next' },
      })
      expect(await next()).toMatchObject({ itemsDone: true, lease: { token: 'next' } })
      await store.deletions.complete({ jobId: input.deletionId, token: 'next' }, { removed: {}, at: wallAt })
      await engine.advance(allOverdueMs)
      await sweep(scene)
      await scene.expectExact()
    })

    it('leaves the items alone when their namespace’s deletion begins while it is taken over', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const input = scene.deleteInput(['a'])
      await engine.stall('delete: record', (other) => other.deleteItems({ ...input, deletionId: mint('del') }))
      await engine.stall('delete: remove items', (other) => other.deleteItems(input))
      await engine.advance(allOverdueMs)
      const goOn = await engine.stall('take over deletion: read namespace', (other) =>
        other.deletions.takeOver(input.deletionId, 'mine'),
      )
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await goOn()).toMatchObject({ state: 'running', itemsDone: true })
      expect(await store.items.count(scene.namespaceId)).toBe(1)
      expect(Object.keys((await scene.namespace()).open)).not.toContain('mine')
      expect(Object.keys((await scene.account()).reservations)).not.toContain('mine')
    })

    it.each(['take over deletion: leave account', 'take over deletion: leave namespace'] as const)(
      'counts once what a recovery has counted for who took it over (before “%s”)',
      async (step) => {
        const { store } = engine
        const scene = await createScene(store)
        await scene.accepted(['a', 'b'])
        const input = scene.deleteInput(['a'])
        await engine.stall('delete: remove items', (other) => other.deleteItems(input))
        await engine.advance(allOverdueMs)
        const goOn = await engine.stall(step, (other) => other.deletions.takeOver(input.deletionId, 'mine'))
        await engine.advance(allOverdueMs)
        // The change of the counts is already recorded, so the next worker only has to remove points.
        expect(await store.deletions.lease(input.deletionId, 'next')).toMatchObject({ itemsDone: true, changed: -1 })
        await store.recoverNamespace(scene.namespaceId, wallAt)
        await store.recoverAccount(scene.accountId)
        await scene.expectExact()
        await goOn()
        await scene.expectExact()
      },
    )
  })
