import { expect, it } from 'vitest'
import { allOverdueMs, countAll, documents, mint, sweep, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { createFileScene, drafts } from './file-scene.fixture.ts'

export const publishingFilesContract = (group: Group) =>
  behaviour('publishing files', group, (engine) => {
    const newScene = () => createFileScene(engine.store)
    const seenIds = async (namespaceId: string, ids: readonly string[]) =>
      (await engine.store.chunks.published(namespaceId, ids)).map(({ itemId, version }) => `${version} ${itemId}`)

    it('shows all of a version at once, and counts it', async () => {
      const { store } = engine
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      await scene.submit(file, lease, [...drafts('a.txt', 0, 3), ...drafts('a.txt', 0, 1, 'summary')])
      const ids = ['a.txt_chunk_0', 'a.txt_summary_0', 'a.txt_chunk_7', 'nothing']
      expect(await seenIds(scene.namespaceId, ids)).toEqual([])
      expect((await scene.namespace()).itemCount).toBe(0)
      expect(await scene.publish(file, lease, 3, 1)).toBe('published')
      expect(await seenIds(scene.namespaceId, ids)).toEqual([
        `${file.version} a.txt_chunk_0`,
        `${file.version} a.txt_summary_0`,
      ])
      expect(await scene.read('a.txt')).toMatchObject({
        live: { version: file.version, chunks: 3, summaries: 1, extraction: 1 },
        outcome: { state: 'completed' },
      })
      expect((await scene.namespace()).itemCount).toBe(4)
      await scene.expectExact()
      // A file published twice is counted once.
      expect(await scene.publish(file, lease, 3, 1)).toBe('published')
      await scene.expectExact()
      expect(await store.files.complete(lease, { times: { read: 5 }, at: wallAt })).toBe(true)
      expect(await scene.read('a.txt')).toMatchObject({ state: 'completed', stage: 'done', lease: null })
    })

    it('puts a version in the place of the one before, which becomes stale', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const former = await scene.published('a.txt', 5)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
      await scene.submit(file, lease, drafts('a.txt', 0, 2))
      expect(await seenIds(scene.namespaceId, ['a.txt_chunk_1'])).toEqual([`${former.version} a.txt_chunk_1`])
      expect((await scene.namespace()).itemCount).toBe(5)
      expect(await scene.publish(file, lease, 2)).toBe('published')
      expect(await seenIds(scene.namespaceId, ['a.txt_chunk_1', 'a.txt_chunk_4'])).toEqual([
        `${file.version} a.txt_chunk_1`,
      ])
      expect((await scene.read('a.txt')).stale).toEqual([former.version])
      expect((await scene.namespace()).itemCount).toBe(2)
      await scene.expectExact()
      await files.dropStale(file.id, [former.version])
      expect((await scene.read('a.txt')).stale).toEqual([])
    })

    it('leaves what is seen when a version fails', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const former = await scene.published('a.txt', 2)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
      await scene.submit(file, lease, drafts('a.txt', 0, 3))
      expect(await files.complete(lease, { times: {}, at: wallAt })).toBe(false)
      expect(await files.fail(lease, { version: file.version, reason: 'damaged', message: 'broken', at: wallAt })).toBe(
        true,
      )
      expect(await files.complete(lease, { times: {}, at: wallAt })).toBe(true)
      expect(await scene.read('a.txt')).toMatchObject({
        state: 'failed',
        outcome: { state: 'failed', reason: 'damaged', message: 'broken' },
        live: { version: former.version },
        stale: [file.version],
      })
      expect(await scene.publish(file, lease, 3)).toBe('lost')
      await scene.expectExact()
    })

    it("keeps to the account's limit of documents, with what it replaces given back", async () => {
      const scene = await newScene()
      await scene.accepted(['x', 'y'])
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      expect(await scene.publish(file, lease, 4, 0, 5)).toEqual({ overLimit: 2 })
      await scene.expectExact()
      expect(await scene.publish(file, lease, 3, 0, 5)).toBe('published')
      const next = await scene.leased(await scene.arrived('a.txt', 'other'))
      expect(await scene.publish(next.file, next.lease, 3, 0, 5)).toBe('published')
      await scene.expectExact()
    })

    it('shows nothing in a namespace that is being deleted', async () => {
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      await engine.store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await scene.publish(file, lease, 1)).toBe('namespaceGone')
      expect((await scene.read('a.txt')).live).toBeNull()
    })

    it('refuses an id that a document has, and a document an id that a chunk has', async () => {
      const scene = await newScene()
      await scene.accepted(['a.txt_chunk_2', 'a.txt_chunk_02', 'a.txt_chunk_9'])
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      expect(await scene.publish(file, lease, 3)).toBe('idConflict')
      expect(await scene.publish(file, lease, 2)).toBe('published')
      const result = await engine.store.accept(
        scene.acceptInput(['a.txt_chunk_1', 'a.txt_chunk_2', 'b.txt_chunk_0', 'a.txt_chunk_x']),
      )
      expect(result).toMatchObject({ outcome: 'accepted', taken: ['a.txt_chunk_1'], inserted: 2 })
      if (result.outcome === 'accepted') {
        expect(result.accepted.toSorted()).toEqual(['a.txt_chunk_2', 'a.txt_chunk_x', 'b.txt_chunk_0'])
        expect(result.job.outcomes).toEqual([{ id: 'a.txt_chunk_1', outcome: 'failed', reason: 'id_conflict' }])
      }
      await scene.expectExact()
    })

    it('refuses documents every id of a file that is being read', async () => {
      const scene = await newScene()
      await scene.arrived('a.txt')
      expect(await engine.store.accept(scene.acceptInput(['a.txt_chunk_500']))).toMatchObject({
        taken: ['a.txt_chunk_500'],
        accepted: [],
      })
      await scene.expectExact()
    })

    it('waits for requests that were under way before the file came', async () => {
      const scene = await newScene()
      const goOn = await engine.stall('accept: insert items', (other) =>
        other.accept(scene.acceptInput(['a.txt_chunk_0'])),
      )
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      expect(await scene.publish(file, lease, 1)).toBe('busy')
      await goOn()
      expect(await scene.publish(file, lease, 1)).toBe('idConflict')
      await scene.expectExact()
    })

    it('waits for such requests also where clocks differ, and not for those that came after it', async () => {
      const scene = await newScene()
      const before = await engine.stall(
        'accept: insert items',
        (other) => other.accept(scene.acceptInput(['a.txt_chunk_0'])),
        {
          aheadMs: 5_000,
        },
      )
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      expect(await scene.publish(file, lease, 1)).toBe('busy')
      const after = await engine.stall('accept: insert items', (other) => other.accept(scene.acceptInput(['b'])))
      expect(await scene.publish(file, lease, 1)).toBe('busy')
      await before()
      expect(await scene.publish(file, lease, 1)).toBe('idConflict')
      await after()
      await scene.expectExact()
    })

    it('counts exactly wherever a worker dies while it publishes', async () => {
      for (const step of [
        'publish: enter account',
        'publish: enter namespace',
        'publish: move live',
        'publish: leave namespace',
        'publish: leave account',
      ] as const) {
        const scene = await newScene()
        const former = await scene.published('a.txt', 1)
        const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
        await engine.stall(step, (other) => scene.publish(file, lease, 4, 0, null, other))
        await engine.advance(allOverdueMs)
        await sweep(scene)
        const next = await scene.leased(former)
        if (next.file.outcome === null) expect(await scene.publish(next.file, next.lease, 4)).toBe('published')
        expect((await scene.namespace()).itemCount).toBe(4)
        await scene.expectExact()
      }
    })

    it('pages through the chunks of a namespace, of every version, in the order of their ids', async () => {
      const { chunks } = engine.store
      const scene = await newScene()
      await scene.published('b.txt', 2)
      await scene.published('a.txt', 3)
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
      await scene.submit(file, lease, drafts('a.txt', 0, 1))
      await scene.accepted(documents(['other']))
      const page = async (of: { after?: string; limit: number }) =>
        (await chunks.page(scene.namespaceId, of)).map(({ itemId }) => itemId)
      expect(await page({ limit: 10 })).toEqual([
        'a.txt_chunk_0',
        'a.txt_chunk_0',
        'a.txt_chunk_1',
        'a.txt_chunk_2',
        'b.txt_chunk_0',
        'b.txt_chunk_1',
      ])
      expect(await page({ after: 'a.txt_chunk_1', limit: 2 })).toEqual(['a.txt_chunk_2', 'b.txt_chunk_0'])
      expect(await page({ limit: 1 })).toEqual(['a.txt_chunk_0', 'a.txt_chunk_0'])
      expect(await page({ limit: 2 })).toEqual(['a.txt_chunk_0', 'a.txt_chunk_0'])
      const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
      for (const some of [{ limit: 10 }, { after: 'a.txt_chunk_1', limit: 2 }, { limit: 1 }]) {
        const whole = await chunks.page(scene.namespaceId, some)
        const lines = await chunks.pageWithoutBodies(scene.namespaceId, some)
        const bare = whole.map(({ body: _, passages: __, namespaceId: ___, ...line }) => line)
        expect(lines.toSorted(byId)).toEqual(bare.toSorted(byId))
      }
      expect(await chunks.countOfNamespace(scene.namespaceId)).toBe(6)
      expect(await chunks.removeOfNamespace(scene.namespaceId, 4)).toBe(4)
      expect(await chunks.removeOfNamespace(scene.namespaceId, 4)).toBe(2)
      expect(await chunks.countOfNamespace(scene.namespaceId)).toBe(0)
    })

    it('counts the files whose published version an earlier extraction has read', async () => {
      const { files } = engine.store
      const scene = await newScene()
      await scene.published('a.txt', 1, 'content', 1)
      await scene.published('b.txt', 1, 'content', 2)
      await scene.arrived('c.txt')
      const counts = async () => [
        await files.countOutdated(scene.namespaceId, 2),
        await files.countOutdated(scene.namespaceId, 3),
      ]
      expect(await counts()).toEqual([1, 2])
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'other'))
      expect(await counts()).toEqual([1, 2])
      expect(await scene.publish(file, lease, 1, 0, null, engine.store, 2)).toBe('published')
      expect(await counts()).toEqual([0, 2])
    })

    it('counts the files of a namespace beyond one slice', async () => {
      const scene = await newScene()
      for (const name of times(3, (n) => `${n}.txt`)) await scene.published(name, 2)
      expect(await engine.store.files.countPublished(scene.namespaceId)).toBe(6)
      expect(await countAll(scene)).toBe(0)
      await scene.expectExact()
    })
  })
