import { expect, it } from 'vitest'
import { createScene, mint, namespaceInput, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const objectOwnersContract = (group: Group) =>
  behaviour('object owners', group, (engine) => {
    it('makes one installation', async () => {
      const { store } = await engine.fresh()
      const made = await Promise.all(times(8, (index) => store.installation.get(`installation_${index}`)))
      expect(new Set(made.map(({ installationId }) => installationId)).size).toBe(1)
      expect(await store.installation.get('another')).toEqual(made[0])
    })

    it('knows the id of a deleted namespace for ever', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { namespaceId } = scene
      expect(await store.namespaces.isRetired(namespaceId)).toBe(false)
      const deletionId = mint('del')
      const going = await store.beginNamespaceDeletion(namespaceId, deletionId, wallAt)
      if (!going) throw new Error('not there')
      const { space } = scene.deleteInput([])
      await store.deletions.insertOfNamespace(going, {
        space,
        correlationId: 'request',
        traceparent: null,
        at: wallAt,
      })
      await store.deletions.lease(deletionId, 'mine')
      const lease = { jobId: deletionId, token: 'mine' }
      await store.deletions.releaseNamespace(lease, { removed: {}, at: wallAt })
      await store.deletions.removeOfNamespace(namespaceId, 10)
      for (const ms of [60_000, 300_000, 1_800_000, 86_400_000]) {
        await engine.advance(ms + 100)
        await store.deletions.lease(deletionId, 'mine')
        await store.deletions.rechecked(lease, { removed: {}, at: wallAt })
      }
      while ((await store.deletions.prune(wallAt + 1, 1_000)) > 0);
      expect(await store.deletions.get(deletionId)).toBeUndefined()
      expect(await store.namespaces.isRetired(namespaceId)).toBe(true)
      // A namespace created again under the same name has another id.
      const heir = namespaceInput(scene.accountId, 'text', scene.name)
      await store.createNamespace(heir)
      expect(await store.namespaces.isRetired(heir.id)).toBe(false)
    })

    it('notes an orphan from its first sighting until it is not seen again', async () => {
      const { orphans } = (await engine.fresh()).store
      const first = { key: 'k1', sizeBytes: 5 }
      expect(await orphans.recordOrphan(first, wallAt)).toEqual({
        ...first,
        firstSeenAt: wallAt,
        lastSeenAt: wallAt,
        approved: false,
      })
      await orphans.recordOrphan({ key: 'k2', sizeBytes: 1 }, wallAt)
      expect(await orphans.approve('k1')).toBe(true)
      expect(await orphans.approve('nothing')).toBe(false)
      const again = { key: 'k1', sizeBytes: 6, firstSeenAt: wallAt, lastSeenAt: wallAt + 9, approved: true }
      expect(await orphans.recordOrphan({ key: 'k1', sizeBytes: 6 }, wallAt + 9)).toEqual(again)
      expect((await orphans.page({ limit: 9 })).map(({ key }) => key)).toEqual(['k1', 'k2'])
      expect(await orphans.page({ after: 'k1', limit: 9 })).toMatchObject([{ key: 'k2' }])
      expect(await orphans.forget(wallAt + 9, 9)).toBe(1)
      expect(await orphans.get('k2')).toBeUndefined()
      expect(await orphans.get('k1')).toEqual(again)
    })
  })
