import { expect, it } from 'vitest'
import { allOverdueMs, mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import { createFileScene, drafts, object } from './file-scene.fixture.ts'

export const filesContract = (group: Group) =>
  behaviour('files', group, (engine) => {
    const newScene = () => createFileScene(engine.store)

    it('has one record of an object, whoever notices it and however often', async () => {
      const scene = await newScene()
      const input = scene.registerInput('a.txt', 'content')
      const results = await Promise.all(
        times(16, () => engine.store.files.register({ ...input, fileId: mint('file'), version: mint('fver') })),
      )
      expect(results.filter(({ outcome }) => outcome === 'queued')).toHaveLength(1)
      expect(results.filter(({ outcome }) => outcome === 'known')).toHaveLength(15)
      const [first] = results.flatMap((result) => (result.outcome === 'queued' ? [result.file] : []))
      expect(await scene.read('a.txt')).toEqual(first)
      expect(first).toMatchObject({
        state: 'queued',
        waiting: 'fresh',
        stage: 'waiting',
        live: null,
        outcome: null,
        object: object('content'),
      })
    })

    it('takes in nothing where the namespace is gone or going', async () => {
      const { store } = engine
      const scene = await newScene()
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await store.files.register(scene.registerInput('a.txt', 'content'))).toEqual({
        outcome: 'namespaceGone',
      })
      expect(await store.files.register(scene.registerInput('a.txt', 'content', { namespaceId: 'nowhere' }))).toEqual({
        outcome: 'namespaceGone',
      })
      expect(await store.files.byName(scene.namespaceId, 'a.txt')).toBeUndefined()
    })

    it('begins anew with other bytes, and shuts out whoever reads the former ones', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'one'))
      const next = await scene.arrived('a.txt', 'two')
      expect(next).toMatchObject({ id: file.id, state: 'queued', lease: null, stale: [file.version], checkpoint: null })
      expect(next.version).not.toBe(file.version)
      expect(await files.renew(lease)).toBe(false)
      expect(await files.recordProgress(lease, { version: file.version, set: { stage: 'reading' }, at: wallAt })).toBe(
        false,
      )
      expect(await scene.submit(file, lease, drafts('a.txt', 0, 2))).toBe(false)
      expect(await scene.publish(file, lease, 2)).toBe('lost')
      expect(await files.fail(lease, { version: file.version, reason: 'damaged', message: '', at: wallAt })).toBe(false)
      expect(await files.complete(lease, { times: {}, at: wallAt })).toBe(false)
      expect(await scene.read('a.txt')).toEqual(next)
    })

    it('is due at once when its chunks are indexed, if it waits for that', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'one'))
      const { id, version } = file
      const isDue = async () => (await files.due(10_000)).some((job) => job.id === id)
      const wait = { delayMs: 5_000, error: null, counted: false }
      await files.wakeJob({ id, version })
      expect(await scene.read('a.txt')).toMatchObject({ state: 'running', lease: { token: lease.token } })
      await files.recordProgress(lease, { version, set: { stage: 'reading' }, at: wallAt })
      await files.requeue(lease, wait)
      await files.wakeJob({ id, version })
      expect(await isDue()).toBe(false)
      await engine.advance(5_100)
      const { lease: next } = await scene.leased(await scene.read('a.txt'))
      await files.recordProgress(next, { version, set: { stage: 'indexing' }, at: wallAt })
      await files.requeue(next, wait)
      await files.wakeJob({ id, version: 'another' })
      await files.wakeJob({ id: 'another', version })
      expect(await isDue()).toBe(false)
      await files.wakeJob({ id, version })
      expect(await isDue()).toBe(true)
    })

    it('does not read the same bytes again, unless they failed', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const shown = await scene.published('a.txt', 1)
      const again = object('content', { modifiedAt: wallAt + 5 })
      expect(
        await files.register(scene.registerInput('a.txt', 'content', { object: again, at: wallAt + 6 })),
      ).toMatchObject({
        outcome: 'unchanged',
        file: { version: shown.version, state: 'completed', unchangedAt: wallAt + 6, object: again },
      })
      const { file, lease } = await scene.leased(await scene.arrived('b.txt'))
      await files.fail(lease, { version: file.version, reason: 'damaged', message: 'broken', at: wallAt })
      expect(await files.register(scene.registerInput('b.txt', 'content', { object: again }))).toMatchObject({
        outcome: 'queued',
      })
      expect(await scene.read('b.txt')).toMatchObject({ outcome: null, stale: [file.version] })
    })

    it('hands chunks over once, however often they are given', async () => {
      const { chunks, uploads, files } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      for (let round = 0; round < 2; round += 1)
        expect(await scene.submit(file, lease, drafts('a.txt', 0, 3))).toBe(true)
      const page = await chunks.ofVersion(file.version, { limit: 10 })
      expect(page.map(({ itemId, passages, kind }) => [itemId, passages, kind])).toEqual(
        times(3, (n) => [`a.txt_chunk_${n}`, null, 'chunk']),
      )
      expect(await uploads.get(`${file.version}-a.txt_chunk_0`)).toMatchObject({
        kind: 'chunks',
        state: 'queued',
        file: { id: file.id, version: file.version },
        ids: page.map(({ itemId }) => itemId),
      })
      expect(await files.get(file.id)).toMatchObject({ checkpoint: { at: 3 }, progress: { chunks: 3 } })
      await chunks.markIndexed(file.version, [{ itemId: 'a.txt_chunk_1', passages: 2 }])
      expect((await chunks.get([{ version: file.version, itemId: 'a.txt_chunk_1' }]))[0]?.passages).toBe(2)
      // Indexed chunks stay indexed when they are submitted again.
      await scene.submit(file, lease, drafts('a.txt', 0, 3))
      expect((await chunks.get([{ version: file.version, itemId: 'a.txt_chunk_1' }]))[0]?.passages).toBe(2)
    })

    it('keeps the places of chunks that have some, beside their bodies', async () => {
      const { chunks } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.pdf'))
      const [first, second] = drafts('a.pdf', 0, 2)
      if (!first || !second) throw new Error('two drafts')
      await scene.submit(file, lease, [{ ...first, places: 'AaokGCb0PRgqXAc=' }, second])
      const found = await chunks.ofVersion(file.version, { limit: 10 })
      expect(found.map(({ body, places }) => [body, places])).toEqual([
        [first.body, 'AaokGCb0PRgqXAc='],
        [second.body, undefined],
      ])
      const [without] = await chunks.latestWithoutBodies([{ version: file.version, itemId: first.itemId }])
      expect(without).not.toHaveProperty('places')
      await chunks.markIndexed(file.version, [{ itemId: first.itemId, passages: 2 }])
      expect(await chunks.get([{ version: file.version, itemId: first.itemId }])).toMatchObject([
        { passages: 2, places: 'AaokGCb0PRgqXAc=' },
      ])
    })

    it('goes on where a worker died between chunks, job and checkpoint', async () => {
      const { chunks, files } = engine.store
      for (const step of ['submit: insert chunks', 'submit: record', 'submit: checkpoint'] as const) {
        const scene = await newScene()
        const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
        await engine.stall(step, (other) => scene.submit(file, lease, drafts('a.txt', 0, 2), other))
        expect((await files.get(file.id))?.checkpoint).toBeNull()
        await engine.advance(allOverdueMs)
        const { file: again, lease: next } = await scene.leased(file)
        expect(again).toMatchObject({ version: file.version, starts: 2 })
        expect(await scene.submit(again, next, drafts('a.txt', 0, 2))).toBe(true)
        expect(await chunks.ofVersion(file.version, { limit: 10 })).toHaveLength(2)
        expect(await scene.submit(file, lease, drafts('a.txt', 2, 3))).toBe(false)
      }
    })

    it('reads a finished file once more when it is asked to, and no other', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const shown = await scene.published('a.txt', 2)
      const input = {
        version: mint('fver'),
        options: { ocr: false },
        at: wallAt,
        correlationId: 'again',
        traceparent: null,
      }
      expect(await files.reprocess(shown.id, { ...input, from: 'another' })).toBeUndefined()
      expect(await files.reprocess(shown.id, { ...input, from: shown.version })).toMatchObject({
        version: input.version,
        state: 'queued',
        options: { ocr: false },
        live: { version: shown.version, chunks: 2 },
        stale: [],
      })
      expect(await files.reprocess(shown.id, { ...input, from: input.version, version: mint('fver') })).toBeUndefined()
    })

    it('belongs to the trace of the call that caused its reading, and its chunks do', async () => {
      const { files, uploads } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt', 'content', { traceparent: '00-1-2-01' }))
      expect(file.traceparent).toBe('00-1-2-01')
      await scene.submit(file, lease, drafts('a.txt', 0, 1))
      expect((await uploads.get(`${file.version}-a.txt_chunk_0`))?.traceparent).toBe('00-1-2-01')
      await scene.publish(file, lease, 1)
      await files.complete(lease, { times: {}, at: wallAt })
      const input = { version: mint('fver'), options: {}, at: wallAt, correlationId: 'again', traceparent: '00-3-4-01' }
      expect((await files.reprocess(file.id, { ...input, from: file.version }))?.traceparent).toBe('00-3-4-01')
      expect((await scene.arrived('a.txt', 'other bytes', { traceparent: '00-5-6-01' })).traceparent).toBe('00-5-6-01')
    })

    it('lists files by name', async () => {
      const { files } = engine.store
      const scene = await newScene()
      for (const name of ['b.txt', 'a/c.txt', 'ä.md', 'a.txt']) await scene.arrived(name)
      const names = async (page: { after?: string; limit: number }) =>
        (await files.page(scene.namespaceId, page)).map(({ name }) => name)
      expect(await names({ limit: 10 })).toEqual(['a.txt', 'a/c.txt', 'b.txt', 'ä.md'])
      expect(await names({ after: 'a.txt', limit: 2 })).toEqual(['a/c.txt', 'b.txt'])
    })

    it('is leased, requeued and found due as other jobs are', async () => {
      const { files } = engine.store
      const scene = await newScene()
      const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
      expect(await files.lease(file.id, mint('lease'))).toBeUndefined()
      expect(await files.requeue(lease, { delayMs: 0, error: 'away', counted: true, fresh: true })).toBe(true)
      expect((await files.due(10_000)).some(({ id }) => id === file.id)).toBe(true)
      const next = await scene.leased(file)
      expect(next.file).toMatchObject({ attempts: 1, lastError: 'away', version: file.version })
    })
  })
