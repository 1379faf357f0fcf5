import { expect, it } from 'vitest'
import type { Lease } from '../jobs/record.ts'
import { createScene, mint, namespaceInput, type Scene, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { Deletion } from './record.ts'

const context = {
  space: { key: 'lexical-words-256', dimension: 256 },
  correlationId: 'request-3',
  traceparent: null,
  at: wallAt + 1,
}
const removed = { items: 2, points: 5 }

export const deletionsContract = (group: Group) =>
  behaviour('deletions', group, (engine) => {
    const leased = async (jobId: string): Promise<Lease> => {
      const token = mint('lease')
      expect(await engine.store.deletions.lease(jobId, token)).toMatchObject({ lease: { token } })
      return { jobId, token }
    }
    const read = async (id: string) => (await engine.store.deletions.get(id)) as Deletion
    const isDue = async (id: string) => (await engine.store.deletions.due(10_000)).some((job) => job.id === id)
    /** Begins and records a namespace's deletion; returns its id. */
    const begun = async (scene: Scene): Promise<string> => {
      const { store } = engine
      const namespace = await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      if (!namespace?.deletionId) throw new Error('not begun')
      expect(await store.deletions.insertOfNamespace(namespace, context)).toBe(true)
      return namespace.deletionId
    }
    const emptied = async (scene: Scene) => {
      while ((await engine.store.items.removeOfNamespace(scene.namespaceId, 100)) > 0);
      while ((await engine.store.uploads.removeOfNamespace(scene.namespaceId, 100)) > 0);
    }

    it('makes a namespace invisible at once, for one of many callers', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const ids = times(8, () => mint('del'))
      const begun = await Promise.all(ids.map((id) => store.beginNamespaceDeletion(scene.namespaceId, id, wallAt + 9)))
      const winner = ids[begun.findIndex((one) => one !== undefined)]
      expect(begun.filter((one) => one !== undefined)).toHaveLength(1)
      expect(await scene.namespace()).toMatchObject({
        state: 'deleting',
        deletionId: winner,
        deletionStartedAt: wallAt + 9,
        itemCount: 1,
      })
      expect(begun.find((one) => one !== undefined)).toEqual(await scene.namespace())
      expect(await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)).toBeUndefined()
      expect(await store.beginNamespaceDeletion('nowhere', mint('del'), wallAt)).toBeUndefined()
      expect(await store.namespaces.ofAccount(scene.accountId)).toEqual([])
      expect(await store.namespaces.byName(scene.accountId, scene.name)).toMatchObject({ state: 'deleting' })
      expect((await store.namespaces.deleting(10_000)).map(({ id }) => id)).toContain(scene.namespaceId)
      expect(await store.createNamespace(namespaceInput(scene.accountId, 'text', scene.name))).toBe('exists')
    })

    it('records the deletion of a namespace once', async () => {
      const { store } = engine
      const scene = await createScene(store)
      expect(await store.deletions.insertOfNamespace(await scene.namespace(), context)).toBe(false)
      const deletionId = await begun(scene)
      expect(
        await store.deletions.insertOfNamespace(await scene.namespace(), { ...context, correlationId: 'again' }),
      ).toBe(false)
      expect(await read(deletionId)).toMatchObject({
        id: deletionId,
        accountId: scene.accountId,
        namespaceId: scene.namespaceId,
        namespaceName: scene.name,
        space: context.space,
        target: 'namespace',
        state: 'queued',
        waiting: 'fresh',
        list: [],
        rechecks: 0,
        removed: {},
        correlationId: 'request-3',
        createdAt: wallAt + 1,
        finishedAt: null,
      })
      expect(await leased(deletionId)).toBeDefined()
    })

    it('records all spaces in which the namespace may have points', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const namespace = await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      if (!namespace?.deletionId) throw new Error('not begun')
      const otherSpaces = [{ key: 'other-8', dimension: 8 }]
      expect(await store.deletions.insertOfNamespace(namespace, { ...context, otherSpaces })).toBe(true)
      expect(await read(namespace.deletionId)).toMatchObject({ space: context.space, otherSpaces })
    })

    it('gives back what the namespace held, frees the name and waits for its re-checks', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const deletionId = await begun(scene)
      const lease = await leased(deletionId)
      await emptied(scene)
      expect(await store.deletions.releaseNamespace({ ...lease, token: 'other' }, { removed, at: wallAt + 2 })).toBe(
        false,
      )
      expect(await scene.account()).toMatchObject({ counts: { documents: 2, namespaces: 1 } })
      expect(await store.deletions.releaseNamespace(lease, { removed, at: wallAt + 2 })).toBe(true)
      const none = { documents: 0, vectors: 0, namespaces: 0 }
      expect(await scene.account()).toMatchObject({ counts: none, held: none, noted: { [deletionId]: wallAt + 2 } })
      expect(await store.namespaces.get(scene.namespaceId)).toBeUndefined()
      expect(await store.namespaces.byName(scene.accountId, scene.name)).toBeUndefined()
      expect(await read(deletionId)).toMatchObject({
        state: 'rechecking',
        lease: null,
        rechecks: 0,
        removed,
        updatedAt: wallAt + 2,
        finishedAt: null,
        starts: 0,
        attempts: 0,
      })
      expect(await store.createNamespace({ ...namespaceInput(scene.accountId, 'text', scene.name), limit: 1 })).toBe(
        'created',
      )
    })

    it('gives nothing back twice', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b'])
      const deletionId = await begun(scene)
      const lease = await leased(deletionId)
      await emptied(scene)
      await store.deletions.releaseNamespace(lease, { removed, at: wallAt })
      expect(await store.deletions.releaseNamespace(lease, { removed, at: wallAt })).toBe(false)
      await engine.advance(5 * 60_000 + 100)
      await store.deletions.releaseNamespace(await leased(deletionId), { removed, at: wallAt })
      expect(await scene.account()).toMatchObject({
        counts: { documents: 0, namespaces: 0 },
        held: { documents: 0, namespaces: 0 },
      })
    })

    it.each(['release namespace: give back', 'release namespace: free the name', 'deletions: finish'] as const)(
      'gives back once when it dies before “%s” and another goes on',
      async (step) => {
        const { store } = engine
        const scene = await createScene(store)
        const kept = namespaceInput(scene.accountId)
        await store.createNamespace(kept)
        await scene.accepted(['a'], { namespaceId: kept.id })
        await scene.accepted(['a', 'b'])
        const deletionId = await begun(scene)
        const former = await leased(deletionId)
        await emptied(scene)
        const goOn = await engine.stall(step, (other) =>
          other.deletions.releaseNamespace(former, { removed, at: wallAt }),
        )
        await engine.advance(31_000)
        expect(await store.deletions.releaseNamespace(await leased(deletionId), { removed, at: wallAt })).toBe(true)
        // Another namespace may take the name before the stalled request resumes.
        await store.createNamespace(namespaceInput(scene.accountId, 'text', scene.name))
        expect(await goOn()).toBe(false)
        await scene.expectExact()
        expect(await scene.account()).toMatchObject({ counts: { documents: 1, namespaces: 2 } })
      },
    )

    it('re-checks after 1 min, 5 min, 30 min and 24 h, then is done and forgets its note', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const deletionId = await begun(scene)
      await store.deletions.releaseNamespace(await leased(deletionId), { removed: {}, at: wallAt })
      for (const [index, minutes] of [1, 5, 30, 24 * 60].entries()) {
        expect((await scene.account()).noted).toEqual({ [deletionId]: wallAt })
        await engine.advance(minutes * 60_000 - 1_000)
        expect(await isDue(deletionId)).toBe(false)
        expect(await store.deletions.lease(deletionId, mint('lease'))).toBeUndefined()
        await engine.advance(1_100)
        expect(await isDue(deletionId)).toBe(true)
        const lease = await leased(deletionId)
        expect(await read(deletionId)).toMatchObject({ state: 'rechecking', rechecks: index })
        expect(await store.deletions.lease(deletionId, mint('lease'))).toBeUndefined()
        expect(await store.deletions.rechecked({ ...lease, token: 'other' }, { removed, at: wallAt })).toBe(false)
        expect(await store.deletions.rechecked(lease, { removed: { points: index }, at: wallAt + index })).toBe(true)
        expect(await read(deletionId)).toMatchObject({
          rechecks: index + 1,
          removed: { points: index },
          updatedAt: wallAt + index,
          lease: null,
        })
      }
      expect(await read(deletionId)).toMatchObject({ state: 'completed', finishedAt: wallAt + 3 })
      expect((await scene.account()).noted).toEqual({})
      await engine.advance(48 * 3_600_000)
      expect(await isDue(deletionId)).toBe(false)
    })

    it('tries a re-check again when its holder dies or puts it back', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const deletionId = await begun(scene)
      await store.deletions.releaseNamespace(await leased(deletionId), { removed: {}, at: wallAt })
      await engine.advance(5 * 60_000 + 100)
      const former = await leased(deletionId)
      await engine.advance(31_000)
      const next = await leased(deletionId)
      expect(await store.deletions.rechecked(former, { removed: {}, at: wallAt })).toBe(false)
      expect(await store.deletions.requeue(former, { delayMs: 0, error: null, counted: false })).toBe(false)
      expect(await store.deletions.renew(former)).toBe(false)
      expect(await store.deletions.renew(next)).toBe(true)
      expect(await store.deletions.requeue(next, { delayMs: 2_000, error: 'away', counted: false })).toBe(true)
      expect(await read(deletionId)).toMatchObject({ state: 'rechecking', rechecks: 0, lastError: 'away', lease: null })
      expect(await store.deletions.lease(deletionId, mint('lease'))).toBeUndefined()
      await engine.advance(2_100)
      expect(await store.deletions.rechecked(await leased(deletionId), { removed: {}, at: wallAt })).toBe(true)
      expect(await read(deletionId)).toMatchObject({ state: 'rechecking', rechecks: 1 })
    })

    it('leaves a namespace alone that took the name afterwards', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const deletionId = await begun(scene)
      const lease = await leased(deletionId)
      await emptied(scene)
      await store.deletions.releaseNamespace(lease, { removed, at: wallAt })
      const next = namespaceInput(scene.accountId, 'text', scene.name)
      await store.createNamespace(next)
      await scene.accepted(['b'], { namespaceId: next.id })
      await engine.advance(5 * 60_000 + 100)
      expect(await store.deletions.rechecked(await leased(deletionId), { removed, at: wallAt })).toBe(true)
      expect(await store.namespaces.get(next.id)).toMatchObject({ state: 'active', itemCount: 1 })
      await scene.expectExact()
    })

    it('completes a deletion by id under its lease', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a'])
      const { deletionId } = await deletedItem(scene)
      const lease = await leased(deletionId)
      expect(await store.deletions.complete({ ...lease, token: 'other' }, { removed, at: wallAt })).toBe(false)
      expect(await store.deletions.complete(lease, { removed, at: wallAt + 3 })).toBe(true)
      expect(await read(deletionId)).toMatchObject({
        state: 'completed',
        removed,
        lease: null,
        finishedAt: wallAt + 3,
        updatedAt: wallAt + 3,
      })
      expect(await store.deletions.complete(lease, { removed: {}, at: wallAt })).toBe(false)
      expect(await store.deletions.lease(deletionId, mint('lease'))).toBeUndefined()
    })

    const deletedItem = async (scene: Scene, at = wallAt) => {
      const input = scene.deleteInput(['a'], { at })
      expect(await scene.store.deleteItems(input)).toMatchObject({ deleted: ['a'] })
      return input
    }

    it('removes and counts the records of a namespace, but never that of its own deletion', async () => {
      const { store } = engine
      const scene = await createScene(store)
      for (let round = 0; round < 3; round += 1) {
        await scene.accepted(['a'])
        await deletedItem(scene)
      }
      const deletionId = await begun(scene)
      expect(await store.deletions.countOfNamespace(scene.namespaceId)).toBe(3)
      expect(await store.deletions.removeOfNamespace(scene.namespaceId, 2)).toBe(2)
      expect(await store.deletions.removeOfNamespace(scene.namespaceId, 2)).toBe(1)
      expect(await store.deletions.removeOfNamespace(scene.namespaceId, 2)).toBe(0)
      expect(await store.deletions.countOfNamespace(scene.namespaceId)).toBe(0)
      expect(await read(deletionId)).toMatchObject({ target: 'namespace' })
    })

    it('forgets final records older than a time', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const finished = async (at: number) => {
        await scene.accepted(['a'])
        const { deletionId } = await deletedItem(scene)
        await store.deletions.lease(deletionId, 'mine')
        await store.deletions.complete({ jobId: deletionId, token: 'mine' }, { removed, at })
        return deletionId
      }
      const [old, kept] = [await finished(10), await finished(100)]
      await scene.accepted(['a'])
      const { deletionId: queued } = await deletedItem(scene, 5)
      expect(await store.deletions.prune(100, 1_000)).toBe(1)
      expect(await store.deletions.get(old)).toBeUndefined()
      expect(await store.deletions.get(kept)).toBeDefined()
      expect(await store.deletions.get(queued)).toBeDefined()
    })

    it('lists what is not final', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const unfinished = async () => (await store.deletions.unfinished(10_000)).map(({ id }) => id)
      await scene.accepted(['a'])
      const { deletionId } = await deletedItem(scene, 1)
      expect((await unfinished())[0]).toBe(deletionId)
      expect((await store.deletions.unfinished(1)).map(({ id }) => id)).toEqual([deletionId])
      await store.deletions.complete(await leased(deletionId), { removed, at: wallAt })
      expect(await unfinished()).not.toContain(deletionId)
    })
  })
