import { expect, it } from 'vitest'
import { createFileScene } from '../files/file-scene.fixture.ts'
import { createScene, documents, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const indexAuditContract = (group: Group) =>
  behaviour('index audit', group, (engine) => {
    it('pages what is indexed of each item by id, also while a later body is processing', async () => {
      const scene = await createScene(engine.store)
      const { indexAudit } = engine.store
      const version = await scene.indexed(documents(['a', 'b', 'd']), 3)
      await scene.accepted(documents(['c']))
      await scene.accepted(documents(['b'], 'a later text'))
      const indexed = { version, passages: 3 }
      const all = [
        { id: 'a', indexed },
        { id: 'b', indexed },
        { id: 'c', indexed: null },
        { id: 'd', indexed },
      ]
      expect(await indexAudit.items(scene.namespaceId, { limit: 10 })).toEqual(all)
      expect(await indexAudit.items(scene.namespaceId, { after: 'a', limit: 2 })).toEqual(all.slice(1, 3))
      expect(await indexAudit.items('nobody', { limit: 10 })).toEqual([])
    })

    it('pages chunks with their passages', async () => {
      const scene = await createFileScene(engine.store)
      const file = await scene.published('a.txt', 3)
      const { indexAudit, chunks } = engine.store
      const [first] = await chunks.page(scene.namespaceId, { limit: 1 })
      await chunks.markIndexed(first?.version ?? '', [{ itemId: first?.itemId ?? '', passages: 2 }])
      const page = await indexAudit.chunks(scene.namespaceId, { limit: 10 })
      const whole = await chunks.page(scene.namespaceId, { limit: 10 })
      expect(page).toEqual(
        whole.map(({ itemId, fileId, version, passages }) => ({ itemId, fileId, version, passages })),
      )
      expect(page.find(({ itemId }) => itemId === first?.itemId)).toMatchObject({ passages: 2, fileId: file.id })
      const rest = await indexAudit.chunks(scene.namespaceId, { after: page[0]?.itemId ?? '', limit: 10 })
      expect(rest).toEqual(page.slice(1))
    })

    it('sets the passages of the indexed version alone, and leaves the status as it is', async () => {
      const scene = await createScene(engine.store)
      const { indexAudit } = engine.store
      const version = await scene.indexed(documents(['a']), 3)
      const before = await scene.item('a')
      await indexAudit.setPassages(scene.namespaceId, 'a', { version: 'another', passages: 9 })
      expect(await scene.item('a')).toEqual(before)
      await indexAudit.setPassages(scene.namespaceId, 'a', { version, passages: 2 })
      expect(await scene.item('a')).toEqual({ ...before, indexed: { version, passages: 2 } })
      await indexAudit.setPassages(scene.namespaceId, 'nobody', { version, passages: 2 })
    })

    it('records the passages in a second space beside those in the first', async () => {
      const scene = await createScene(engine.store)
      const { items, chunks, indexAudit } = engine.store
      const { namespaceId } = scene
      const second = { space: 'other-8', passages: 3 }
      const { id: version } = await scene.accepted(documents(['a', 'b']))
      await items.markIndexed(namespaceId, version, [
        { id: 'a', passages: 1, second },
        { id: 'b', passages: 1 },
      ])
      expect((await scene.item('a'))?.indexed).toEqual({ version, passages: 1, second })
      expect((await scene.item('b'))?.indexed).toEqual({ version, passages: 1 })
      await indexAudit.setPassages(namespaceId, 'b', { version, passages: 2, second: { ...second, passages: 0 } })
      expect(await indexAudit.items(namespaceId, { limit: 10 })).toEqual([
        { id: 'a', indexed: { version, passages: 1, second } },
        { id: 'b', indexed: { version, passages: 2, second: { ...second, passages: 0 } } },
      ])
      const files = await createFileScene(engine.store)
      const { version: ofFile } = await files.published('f', 2)
      await chunks.markIndexed(ofFile, [
        { itemId: 'f_chunk_0', passages: 1, second },
        { itemId: 'f_chunk_1', passages: 1 },
      ])
      expect(await indexAudit.chunks(files.namespaceId, { limit: 10 })).toMatchObject([
        { itemId: 'f_chunk_0', passages: 1, second },
        { itemId: 'f_chunk_1', passages: 1 },
      ])
    })

    it('marks a namespace whose points are lost, and takes the mark back', async () => {
      const [scene, other] = await Promise.all(times(2, () => createScene(engine.store)))
      if (!scene || !other) throw new Error('no scene')
      const { indexAudit } = engine.store
      expect((await scene.namespace()).lostPointsAt ?? null).toBeNull()
      await indexAudit.markLost(scene.namespaceId, wallAt)
      expect(await scene.namespace()).toMatchObject({ lostPointsAt: wallAt, state: 'active' })
      expect((await other.namespace()).lostPointsAt ?? null).toBeNull()
      await indexAudit.markLost(scene.namespaceId, null)
      expect((await scene.namespace()).lostPointsAt).toBeNull()
      await indexAudit.markLost('nobody', wallAt)
    })
  })
