import { expect, it } from 'vitest'
import { createScene, times } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

export const indexingContract = (group: Group) =>
  behaviour('indexing', group, (engine) => {
    it('marks what is indexed, with the number of passages', async () => {
      const scene = await createScene(engine.store)
      const { id: version } = await scene.accepted(['a', 'b', 'c'])
      const marks = [
        { id: 'b', passages: 3 },
        { id: 'nobody', passages: 1 },
        { id: 'a', passages: 1 },
      ]
      await engine.store.items.markIndexed(scene.namespaceId, version, marks)
      expect(await scene.item('nobody')).toBeUndefined()
      expect(await scene.item('a')).toMatchObject({ status: 'completed', indexed: { version, passages: 1 } })
      expect(await scene.item('b')).toMatchObject({
        status: 'completed',
        reason: null,
        version,
        indexed: { version, passages: 3 },
        stale: [],
      })
      expect(await scene.item('c')).toMatchObject({ status: 'processing', indexed: null })
    })

    it('marks only while the version is this one and processing', async () => {
      const { items } = engine.store
      const scene = await createScene(engine.store)
      const { id: first } = await scene.accepted(['a', 'b'])
      const { id: second } = await scene.accepted(['a'])
      await items.markIndexed(scene.namespaceId, first, [{ id: 'a', passages: 1 }])
      await items.markFailed(scene.namespaceId, first, [{ id: 'a', reason: 'late' }])
      expect(await scene.item('a')).toMatchObject({
        version: second,
        status: 'processing',
        reason: null,
        indexed: null,
      })
      await items.markFailed(scene.namespaceId, first, [{ id: 'b', reason: 'empty' }])
      await items.markIndexed(scene.namespaceId, first, [{ id: 'b', passages: 1 }])
      expect(await scene.item('b')).toMatchObject({ status: 'failed', reason: 'empty', indexed: null })
      await items.markIndexed(scene.namespaceId, second, [{ id: 'a', passages: 1 }])
      await items.markIndexed(scene.namespaceId, second, [{ id: 'a', passages: 9 }])
      await items.markFailed(scene.namespaceId, second, [{ id: 'a', reason: 'late' }])
      expect(await scene.item('a')).toMatchObject({
        status: 'completed',
        reason: null,
        indexed: { version: second, passages: 1 },
      })
    })

    it('marks those of many that still are what they were, whatever the others have become', async () => {
      const { items } = engine.store
      const scene = await createScene(engine.store)
      const ids = times(40, (index) => `d${index}`)
      const former = await scene.indexed(ids)
      const { id: version } = await scene.accepted(ids)
      await engine.store.deleteItems(scene.deleteInput(ids.slice(0, 5)))
      const { id: next } = await scene.accepted(ids.slice(5, 10))
      await items.markFailed(
        scene.namespaceId,
        version,
        ids.slice(0, 15).map((id) => ({ id, reason: 'empty' })),
      )
      await items.markIndexed(
        scene.namespaceId,
        version,
        ids.map((id, passages) => ({ id, passages })),
      )
      const after = new Map((await items.get(scene.namespaceId, ids)).map((item) => [item.id, item]))
      for (const [passages, id] of ids.entries()) {
        if (passages < 5) expect(after.get(id)).toBeUndefined()
        else if (passages < 10)
          expect(after.get(id)).toMatchObject({
            version: next,
            status: 'processing',
            indexed: { version: former },
            stale: [],
          })
        else if (passages < 15)
          expect(after.get(id)).toMatchObject({
            status: 'failed',
            reason: 'empty',
            indexed: { version: former },
            stale: [],
          })
        else
          expect(after.get(id)).toMatchObject({ status: 'completed', indexed: { version, passages }, stale: [former] })
      }
    })

    it('lets one of two workers on one version mark', async () => {
      const scene = await createScene(engine.store)
      const { id: version } = await scene.accepted(['a'])
      const { items } = engine.store
      await Promise.all(times(8, (passages) => items.markIndexed(scene.namespaceId, version, [{ id: 'a', passages }])))
      const winner = (await scene.item('a'))?.indexed
      expect(winner?.version).toBe(version)
      await items.markIndexed(scene.namespaceId, version, [{ id: 'a', passages: 9 }])
      expect((await scene.item('a'))?.indexed).toEqual(winner)
    })

    it('marks nothing of a version that was overwritten or deleted just before', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { id: version } = await scene.accepted(['a', 'b'])
      const marks = ['a', 'b'].map((id) => ({ id, passages: 1 }))
      const goOn = await engine.stall('mark indexed', (other) =>
        other.items.markIndexed(scene.namespaceId, version, marks),
      )
      await scene.accepted(['a'])
      await store.deleteItems(scene.deleteInput(['b']))
      await goOn()
      expect(await scene.item('a')).toMatchObject({ status: 'processing', indexed: null, stale: [] })
      expect(await scene.item('b')).toBeUndefined()
    })

    it('holds two bodies while a re-upload is under way, then only the new one', async () => {
      const scene = await createScene(engine.store)
      const first = await scene.indexed([{ id: 'a', body: { text: 'first', metadata: '{"n":1}' } }], 2)
      const { id: second } = await scene.accepted([{ id: 'a', body: { text: 'second', metadata: '{"n":2}' } }])
      expect(await scene.item('a')).toMatchObject({
        status: 'processing',
        version: second,
        body: { text: 'second', metadata: '{"n":2}' },
        stale: [],
      })
      expect((await scene.item('a'))?.indexed).toEqual({
        version: first,
        passages: 2,
        body: { text: 'first', metadata: '{"n":1}' },
      })
      const { id: third } = await scene.accepted([{ id: 'a', body: { text: 'third', metadata: '{"n":3}' } }])
      expect((await scene.item('a'))?.indexed).toEqual({
        version: first,
        passages: 2,
        body: { text: 'first', metadata: '{"n":1}' },
      })
      await engine.store.items.markIndexed(scene.namespaceId, third, [{ id: 'a', passages: 1 }])
      const done = await scene.item('a')
      expect(done).toMatchObject({ status: 'completed', version: third, body: { text: 'third' }, stale: [first] })
      expect(done?.indexed).toEqual({ version: third, passages: 1 })
    })

    it('keeps the indexed body searchable when the re-upload fails, and forgets the reason with the next', async () => {
      const scene = await createScene(engine.store)
      const first = await scene.indexed([{ id: 'a', body: { text: 'first', metadata: '{}' } }])
      const { id: second } = await scene.accepted([{ id: 'a', body: { text: 'second', metadata: '{}' } }])
      await engine.store.items.markFailed(scene.namespaceId, second, [{ id: 'a', reason: 'empty' }])
      expect(await scene.item('a')).toMatchObject({
        status: 'failed',
        reason: 'empty',
        version: second,
        body: { text: 'second' },
        stale: [],
      })
      expect((await scene.item('a'))?.indexed).toEqual({
        version: first,
        passages: 1,
        body: { text: 'first', metadata: '{}' },
      })
      const third = await scene.indexed([{ id: 'a', body: { text: 'third', metadata: '{}' } }])
      expect(await scene.item('a')).toMatchObject({
        status: 'completed',
        reason: null,
        indexed: { version: third },
        stale: [first],
      })
    })

    it('takes exactly the named versions out of stale', async () => {
      const { items } = engine.store
      const scene = await createScene(engine.store)
      const versions = []
      for (let round = 0; round < 4; round += 1) versions.push(await scene.indexed(['a']))
      const [first, second, third, fourth] = versions as [string, string, string, string]
      expect((await scene.item('a'))?.stale.toSorted()).toEqual([first, second, third].toSorted())
      await items.dropStale(scene.namespaceId, 'a', [third, 'nobody', first])
      await items.dropStale(scene.namespaceId, 'nobody', [second])
      expect(await scene.item('a')).toMatchObject({ stale: [second], indexed: { version: fourth } })
      await items.dropStale(scene.namespaceId, 'a', [third, second])
      expect((await scene.item('a'))?.stale).toEqual([])
    })

    it('loses no version of stale when marks and clean-ups meet', async () => {
      const { items } = engine.store
      const scene = await createScene(engine.store)
      const first = await scene.indexed(['a'])
      const second = await scene.indexed(['a'])
      const { id: third } = await scene.accepted(['a'])
      await Promise.all([
        items.dropStale(scene.namespaceId, 'a', [first]),
        items.markIndexed(scene.namespaceId, third, [{ id: 'a', passages: 1 }]),
      ])
      expect(await scene.item('a')).toMatchObject({ stale: [second], indexed: { version: third } })
    })
  })
