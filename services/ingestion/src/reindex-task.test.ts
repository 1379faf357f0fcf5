import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { createFileScene, drafts } from '@cairn/domain/files/file-scene.fixture'
import type { ChunkBatch, Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf, spaceOfModel } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace, Reindex } from '@cairn/domain/namespaces/record'
import type { Embedder, EmbedderStatus, EmbeddingModel } from '@cairn/domain/ports/embedder'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import { type Document, documents, mint, newReindex, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { createLogger } from '@cairn/runtime/process/logger'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { plainRun, type StepVerdict } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { describe, expect, it } from 'vitest'
import { embedItems } from './embed-items.ts'
import { indexChunks } from './index-chunks.ts'
import { indexUpload } from './index-upload.ts'
import { keptVectors } from './kept-vectors.ts'
import { createReindexTask } from './reindex-task.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const longText = times(12, (number) => `Sentence number ${number} has seven words here.`).join(' ')
const long: Document = { id: 'long', body: { text: longText, metadata: '{"topic":"numbers"}' } }
const document = (id: string, text: string): Document => ({ id, body: { text, metadata: '{}' } })
const settleMs = 30_000
const dayMs = 86_400_000
const never = new AbortController().signal
const other: EmbeddingModel = { provider: 'openai', model: 'other', dimension: 64 }

/** Returns ports that die at the call of this number, before or after it takes effect. */
const mortal = <P extends object>(ports: P, at: number, verdict: StepVerdict) => {
  const state = { calls: 0, isDead: false }
  const ended = new AbortController()
  const die = (): never => {
    state.isDead = true
    ended.abort(new Error(`died at call ${state.calls}`))
    throw ended.signal.reason
  }
  const guard = (value: unknown): unknown => {
    if (typeof value === 'function')
      return async (...args: unknown[]) => {
        if (state.isDead) die()
        state.calls += 1
        if (state.calls === at && verdict === 'die before') die()
        const result = await (value as (...of: unknown[]) => unknown)(...args)
        if (state.calls === at && verdict === 'die after') die()
        return result
      }
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, guard(inner)]))
    return value
  }
  return { state, signal: ended.signal, ports: guard(ports) as P }
}

const setUp = async (second: { status?: () => EmbedderStatus; refuses?: (text: string) => boolean } = {}) => {
  const { clock, pass } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const scene = await createFileScene(store)
  const { namespaceId } = scene
  const first = stubEmbedder()
  const next = stubEmbedder({
    model: other,
    maxTokens: 7,
    ...(second.status && { status: second.status }),
    onEmbed: (texts) => {
      if (texts.some((text) => second.refuses?.(text))) throw new AppError('invalid', 'this text can not be embedded')
    },
  })
  const ports = { store, vectors }
  const shared = {
    embedders: embedders({ current: first, choices: [next] }),
    textWorker: directTextWorker,
    clock: { ...clock, delay: async () => {} },
    log: createLogger({ level: 'silent', name: 'test' }),
    settleMs,
  }
  const namespace = scene.namespace
  const state = async (): Promise<Reindex> => (await namespace()).reindex as Reindex
  const begin = async (more: Partial<Reindex> = {}) => {
    const { embedding } = await namespace()
    const reindex = newReindex({ embedding: other, startedAt: clock.now(), phaseAt: clock.now(), ...more })
    expect(await store.namespaces.beginReindex(namespaceId, embedding as EmbeddingModel, reindex)).toBe(true)
  }
  const request = async (from: Reindex['phase'], to: Partial<Reindex>) =>
    expect(await store.namespaces.changeReindex(namespaceId, { ...(await state()), phase: from }, to)).toBeDefined()
  const flip = () => request('filled', { phase: 'closing', cursor: null, passed: 0, rejected: 0, isAutomatic: false })
  const rollBack = () => request('former', { phase: 'closing', cursor: null, passed: 0, rejected: 0 })
  /** Runs the task until there is nothing to do immediately. */
  const work = async (by: { store: Store; vectors: VectorIndex } = ports, signal = never) => {
    const { range } = createReindexTask({ ...shared, ...by })
    for (let ranges = 0; ranges < 100; ranges += 1) if ((await range(null, signal)) === null) return
    throw new Error('the task does not end')
  }
  /** Runs the task before and after the wait at the beginning of a phase. */
  const workOn = async () => {
    await work()
    pass(settleMs)
    await work()
  }
  const leased = async (id: string) => (await store.uploads.lease(id, mint('lease'))) as Upload
  const indexWith = (by: Partial<typeof ports> = {}) => indexUpload({ ...shared, ...ports, ...by, clock: shared.clock })
  const upload = async (what: readonly string[] | readonly Document[]) => {
    const { id } = await scene.accepted(what)
    expect(await indexWith()(plainRun(await leased(id)))).toBeUndefined()
  }
  const indexBatchWith = (by: Store) =>
    indexChunks({ ...shared, vectors, store: by, bus: inMemoryMessageBus(), ids: { next: mint } }, keptVectors())
  const file = async (name: string, chunks = 3, by: Store = store) => {
    const indexBatch = indexBatchWith(by)
    const arrived = await scene.leased(await scene.arrived(name))
    expect(await scene.submit(arrived.file, arrived.lease, drafts(name, 0, chunks))).toBe(true)
    for (const { id, kind } of await store.uploads.unfinished(100))
      if (kind === 'chunks')
        expect(await indexBatch(plainRun((await store.uploads.lease(id, mint('lease'))) as ChunkBatch))).toBeUndefined()
    expect(await scene.publish(arrived.file, arrived.lease, chunks)).toBe('published')
    expect(await store.files.complete(arrived.lease, { times: {}, at: wallAt })).toBe(true)
  }
  const points = async (model: EmbeddingModel) =>
    (await vectors.list(spaceOfModel(model), { namespaceIds: [namespaceId], limit: 10_000 }))
      .map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)
      .sort()
  /** Returns the points that a space must have for all indexed content. */
  const expected = async (embedder: Embedder) => {
    const items = (await store.items.page(namespaceId, { limit: 1_000 })).flatMap((item) =>
      item.indexed ? [{ ...item, version: item.indexed.version, body: item.indexed.body ?? item.body }] : [],
    )
    const chunks = (await store.chunks.page(namespaceId, { limit: 1_000 })).map(({ itemId: id, ...chunk }) => ({
      ...chunk,
      id,
    }))
    const run = { step: <T>(_name: string, call: (signal: AbortSignal) => Promise<T>) => call(never) }
    const entries = await embedItems(run, [...items, ...chunks], { embedder, textWorker: directTextWorker })
    return entries
      .flatMap(({ item, passages }) => passages.map((_, passage) => `${item.id} ${item.version} ${passage}`))
      .sort()
  }
  const expectComplete = async (embedder: Embedder) =>
    expect(await points(embedder.model), embedder.model.model).toEqual(await expected(embedder))
  /** Returns the best item of a search, using the namespace's current model. */
  const best = async (text: string) => {
    const searched: Namespace = await namespace()
    const [vector] = await (searched.embedding?.provider === 'openai' ? next : first).embed([text], { kind: 'query' })
    const query = { namespaceIds: [namespaceId], vector: vector as Float32Array, limit: 1 }
    return (await vectors.search(embeddingSpaceOf(searched), query))[0]?.itemId
  }
  return {
    ...scene,
    ...{ first, next, vectors, ports, shared, pass, state, begin, request, flip, rollBack, work, workOn },
    ...{ leased, indexWith, upload, file, points, expectComplete, best },
  }
}

type Scene = Awaited<ReturnType<typeof setUp>>

const filled = async (scene: Scene) => {
  await scene.upload([...documents(['a', 'b']), long])
  await scene.file('one.txt')
}

describe('a reindex', () => {
  it('fills the second space, flips, keeps the former one, and removes it', async () => {
    const scene = await setUp()
    const { first, next, begin, work, pass, state, points, expectComplete, namespace, best } = scene
    await filled(scene)
    await begin()
    await work()
    expect(await state()).toMatchObject({ phase: 'closing', written: 6, rejected: 0, error: null })
    await expectComplete(first)
    await expectComplete(next)
    expect((await namespace()).embedding).toEqual(first.model)
    pass(settleMs - 1)
    await work()
    expect(await state()).toMatchObject({ phase: 'closing' })
    pass(1)
    next.embedded.length = 0
    await work()
    expect(await state()).toMatchObject({ phase: 'former', embedding: first.model, passed: 6, written: 6 })
    expect(next.embedded).toEqual([])
    expect((await namespace()).embedding).toEqual(other)
    expect(await best('text of b')).toBe('b')
    pass(dayMs - 1)
    await work()
    expect((await state()).phase).toBe('former')
    pass(1)
    await work()
    expect((await state()).phase).toBe('removing')
    await expectComplete(first)
    pass(settleMs)
    await work()
    expect(await namespace()).toMatchObject({ reindex: null, reindexPhase: null, formerEmbeddings: [first.model] })
    expect(await points(first.model)).toEqual([])
    await expectComplete(next)
    expect(await best('text of b')).toBe('b')
  })

  it('writes uploads to both spaces in every phase, and the former model finds them after a rollback', async () => {
    const scene = await setUp()
    const { first, next, begin, work, workOn, pass, flip, rollBack, upload, file, expectComplete, best, state } = scene
    let files = 0
    const both = async (phase: string) => {
      files += 1
      expect((await state()).phase).toBe(phase)
      await upload([...documents([`${phase}1`, 'again'], phase), { ...long, id: `long ${phase}` }])
      await file(`${files}.txt`)
      await expectComplete(first)
      await expectComplete(next)
    }
    await begin({ isAutomatic: false })
    await both('filling')
    await work()
    await both('filled')
    await flip()
    await both('closing')
    await workOn()
    await both('former')
    expect(await best('former of former1')).toBe('former1')
    await rollBack()
    await both('closing')
    await workOn()
    await both('former')
    expect((await scene.namespace()).embedding).toEqual(first.model)
    expect(await best('former of former1')).toBe('former1')
    pass(dayMs)
    await workOn()
    await expectComplete(first)
    expect(await scene.points(other)).toEqual([])
  })

  it.each<[StepVerdict]>([['die before'], ['die after']])(
    'ends the same when its process dies (%s) at any call of a store, in any phase',
    async (verdict) => {
      const runs: Record<string, (scene: Scene) => Promise<void>> = {
        filling: async () => {},
        closing: async ({ work, pass }) => {
          await work()
          pass(settleMs)
        },
        former: async ({ workOn, pass }) => {
          await workOn()
          pass(dayMs)
        },
        removing: async ({ workOn, work, pass }) => {
          await workOn()
          pass(dayMs)
          await work()
          pass(settleMs)
        },
      }
      for (const [phase, prepare] of Object.entries(runs)) {
        for (let index = 1, isOver = false; !isOver; index += 1) {
          const scene = await setUp()
          const { first, next, begin, work, pass, points, expectComplete, namespace } = scene
          await filled(scene)
          await begin()
          await prepare(scene)
          expect((await namespace()).reindexPhase).toBe(phase)
          const { state, ports, signal } = mortal(scene.ports, index, verdict)
          await work(ports, signal).catch((error: unknown) => expect(String(error)).toContain('died'))
          isOver = !state.isDead
          const [{ embedding }] = [await namespace()]
          await expectComplete(embedding?.provider === 'openai' ? next : first)
          for (let left = 10; (await namespace()).reindex && left > 0; left -= 1) {
            pass(dayMs)
            await work()
          }
          expect(await namespace(), `${phase} ${index}`).toMatchObject({ reindex: null, embedding: other })
          expect(await points(first.model)).toEqual([])
          await expectComplete(next)
          if (isOver) expect(index).toBeGreaterThan(5)
        }
      }
    },
    60_000,
  )

  it('waits for the pass before the flip as long as the model is away, and lets uploads through', async () => {
    const model: { status: EmbedderStatus } = { status: { state: 'failed', detail: 'away' } }
    const scene = await setUp({ status: () => model.status })
    const { begin, work, workOn, state, upload, pass, expectComplete, first, next, points } = scene
    await filled(scene)
    await begin()
    await work()
    expect(await state()).toMatchObject({ phase: 'filling', error: 'the model is failed: away' })
    await upload(['while away'])
    expect(await points(other)).toEqual([])
    model.status = { state: 'ready' }
    await work()
    expect(await state()).toMatchObject({ phase: 'closing', error: null })
    model.status = { state: 'failed', detail: 'away again' }
    pass(settleMs)
    await work()
    expect(await state()).toMatchObject({ phase: 'filled', error: 'the model is failed: away again' })
    await upload(['while away again'])
    await work()
    expect(await state()).toMatchObject({ phase: 'filled', error: 'the model is failed: away again' })
    model.status = { state: 'ready' }
    await workOn()
    expect(await state()).toMatchObject({ phase: 'former', error: null })
    await expectComplete(first)
    await expectComplete(next)
  })

  it('does not flip by itself to a model that rejects items, and finds them again after a rollback', async () => {
    const scene = await setUp({ refuses: (text) => text.includes('poison') })
    const { begin, work, workOn, flip, rollBack, state, upload, best, expectComplete, first, item, points } = scene
    await filled(scene)
    await upload([document('p', 'this one is poison'), document('q', 'another good one')])
    await begin()
    await work()
    expect(await state()).toMatchObject({
      phase: 'filled',
      rejected: 1,
      error: 'The model rejects 1 item, which it would not find. Flip to it all the same, or cancel the reindex.',
    })
    await upload([document('late', 'late poison'), document('r', 'a third good one')])
    expect(await item('late')).toMatchObject({ status: 'completed' })
    await flip()
    await workOn()
    expect(await state()).toMatchObject({ phase: 'former', rejected: 2 })
    expect(await best('another good one')).toBe('q')
    expect((await points(other)).filter((point) => /^(p|late) /.test(point))).toEqual([])
    await rollBack()
    await workOn()
    expect(await best('this one is poison')).toBe('p')
    expect(await best('late poison')).toBe('late')
    await expectComplete(first)
  })

  it('does not flip by itself when an upload that is only then rejected comes before the last pass', async () => {
    const scene = await setUp({ refuses: (text) => text.includes('poison') })
    const { begin, work, pass, state, upload, namespace, first } = scene
    await filled(scene)
    await begin()
    await work()
    await upload([document('late', 'late poison')])
    pass(settleMs)
    await work()
    expect(await state()).toMatchObject({ phase: 'filled', rejected: 1 })
    expect((await namespace()).embedding).toEqual(first.model)
  })

  it('goes back to where it was when a model fails for no known reason in the last pass', async () => {
    const scene = await setUp()
    const { begin, work, workOn, pass, state, upload, next, flip } = scene
    await begin()
    await work()
    const embed = next.embed
    const stale = await scene.namespace()
    await scene.store.namespaces.changeReindex(scene.namespaceId, await state(), { isAutomatic: true })
    // A worker that read the namespace before the reindex.
    const ignorant = {
      ...scene.store,
      namespaces: { ...scene.store.namespaces, get: async () => ({ ...stale, reindex: null }) },
    }
    const { id } = await scene.accepted(['x'])
    await scene.indexWith({ store: ignorant })(plainRun(await scene.leased(id)))
    next.embed = async () => {
      throw new TypeError('the model choked')
    }
    pass(settleMs)
    await work()
    expect(await state()).toMatchObject({
      phase: 'filled',
      isAutomatic: false,
      error: 'Internal error; see the server log.',
    })
    next.embed = embed
    await upload(['y'])
    await flip()
    await workOn()
    expect(await state()).toMatchObject({ phase: 'former', error: null })
    await scene.expectComplete(next)
  })

  it('removes the points of a cancelled one, and can be begun again', async () => {
    const scene = await setUp()
    const { begin, work, workOn, request, points, first, next, expectComplete, namespace } = scene
    await filled(scene)
    await begin({ isAutomatic: false })
    await work()
    await request('filled', { phase: 'removing', cursor: null })
    await work()
    await expectComplete(next)
    await workOn()
    expect(await namespace()).toMatchObject({ reindex: null, embedding: first.model, formerEmbeddings: [other] })
    expect(await points(other)).toEqual([])
    await expectComplete(first)
    await begin()
    await work()
    await workOn()
    expect((await namespace()).embedding).toEqual(other)
    await expectComplete(next)
  })

  it('embeds again what an earlier reindex to this model could not', async () => {
    const refused = { word: 'poison' }
    const scene = await setUp({ refuses: (text) => text.includes(refused.word) })
    const { begin, work, workOn, request, upload, state, next, expectComplete } = scene
    await upload([document('p', 'this one is poison')])
    await begin()
    await work()
    await request('filled', { phase: 'removing', cursor: null })
    await workOn()
    await workOn()
    refused.word = 'nothing at all'
    await begin()
    await workOn()
    expect(await state()).toMatchObject({ phase: 'former', rejected: 0 })
    await expectComplete(next)
  })

  it('compares the kept queries on both spaces, again once there are twice as many, and forgets them at the flip', async () => {
    const scene = await setUp()
    const { begin, work, flip, state, store, namespaceId } = scene
    await filled(scene)
    await begin({ isAutomatic: false, queries: [] })
    const ask = async (text: string) => {
      const { id, phase } = await state()
      if (phase === 'filling' || phase === 'filled') await store.namespaces.keepQuery(namespaceId, { id, phase }, text)
    }
    await work()
    expect(await state()).toMatchObject({ phase: 'filled', comparison: null })
    await ask('text of a')
    await work()
    const { comparison } = await state()
    expect(comparison).toMatchObject({ queries: 1, overlap: 1 })
    await ask('text of b')
    await ask('sentence number')
    await work()
    expect(await state()).toMatchObject({ comparison: { queries: 3 } })
    await ask('text')
    await work()
    expect(await state()).toMatchObject({ comparison: { queries: 3 }, queries: { length: 4 } })
    await flip()
    await store.namespaces.changeReindex(namespaceId, await state(), { queries: null })
    await store.namespaces.keepQuery(namespaceId, { id: (await state()).id, phase: 'filled' }, 'too late')
    expect((await state()).queries).toBeNull()
  })

  it('says whether there is something to do, and looks at those that wait once a minute', async () => {
    const scene = await setUp()
    const { begin, work, pass, shared, ports } = scene
    const { hasWork } = createReindexTask({ ...shared, ...ports })
    expect(await hasWork()).toBe(false)
    await begin({ isAutomatic: false })
    expect(await hasWork()).toBe(true)
    await work()
    expect(await hasWork()).toBe(false)
    pass(60_000)
    expect(await hasWork()).toBe(true)
  })
})

describe('a worker that knew the namespace before', () => {
  /** Creates a worker whose first read of the namespace returns its present state, also after a later change. */
  const lateWorker = async (scene: Scene) => {
    const { namespaces } = scene.store
    const then = await scene.namespace()
    let left = 1
    const get: typeof namespaces.get = async (id) => (left-- > 0 ? then : namespaces.get(id))
    return scene.indexWith({ store: { ...scene.store, namespaces: { ...namespaces, get } } })
  }
  const steps: [string, (scene: Scene) => Promise<void>][] = [
    ['began', async ({ begin }) => begin({ isAutomatic: false })],
    [
      'was filled',
      async ({ begin, work }) => {
        await begin({ isAutomatic: false })
        await work()
      },
    ],
    [
      'flipped',
      async ({ begin, workOn }) => {
        await begin()
        await workOn()
      },
    ],
  ]

  it.each(steps)('fills both spaces before its job ends, though the reindex %s meanwhile', async (_, meanwhile) => {
    const scene = await setUp()
    await filled(scene)
    const { id } = await scene.accepted([...documents(['late', 'b'], 'other text'), { ...long, id: 'late long' }])
    const work = await lateWorker(scene)
    await meanwhile(scene)
    const job = await scene.leased(id)
    expect(await work(plainRun(job))).toBeUndefined()
    for (const model of [scene.first.model, other]) {
      const own = (await scene.points(model)).filter((point) => point.includes(id))
      expect(new Set(own.map((point) => point.split(` ${id}`)[0]))).toEqual(new Set(['b', 'late', 'late long']))
    }
    await scene.work()
    await scene.expectComplete(scene.first)
    await scene.expectComplete(scene.next)
  })

  it.each(steps)(
    'fills both spaces with the chunks of a file, though the reindex %s meanwhile',
    async (_, meanwhile) => {
      const scene = await setUp()
      await filled(scene)
      const { namespaces } = scene.store
      const then = await scene.namespace()
      // The first two reads return this state. A job reads when it starts, for each slice of chunks, and to settle.
      let left = 2
      const get: typeof namespaces.get = async (id) => (left-- > 0 ? then : namespaces.get(id))
      await meanwhile(scene)
      await scene.file('late.txt', 3, { ...scene.store, namespaces: { ...namespaces, get } })
      for (const model of [scene.first.model, other])
        expect((await scene.points(model)).filter((point) => point.startsWith('late.txt'))).toHaveLength(3)
    },
  )

  it.each(steps)(
    'is completed by the next worker when it dies at any step, though the reindex %s',
    async (_, meanwhile) => {
      for (let step = 1, isOver = false; !isOver; step += 1) {
        const scene = await setUp()
        await filled(scene)
        const { id } = await scene.accepted([...documents(['late', 'b'], 'other text'), { ...long, id: 'late long' }])
        const work = await lateWorker(scene)
        await meanwhile(scene)
        const job = await scene.leased(id)
        isOver = await work(plainRun(job, (number) => (number === step ? 'die after' : 'go on'))).then(
          () => true,
          () => false,
        )
        if (!isOver && (await scene.store.uploads.get(id))?.state !== 'completed')
          expect(await scene.indexWith()(plainRun(job))).toBeUndefined()
        await scene.work()
        await scene.expectComplete(scene.first)
        await scene.expectComplete(scene.next)
      }
    },
  )

  it.each(steps)(
    'writes both spaces before the mark when it has embedded for long, and the reindex %s meanwhile',
    async (_, meanwhile) => {
      const scene = await setUp()
      await filled(scene)
      const { id } = await scene.accepted(documents(['slow', 'b'], 'other text'))
      const job = await scene.leased(id)
      const { embed } = scene.first
      scene.first.embed = async (...of) => {
        scene.first.embed = embed
        const vectors = await embed(...of)
        await meanwhile(scene)
        scene.pass(10_000)
        return vectors
      }
      const marked: string[][] = []
      const { items } = scene.store
      const markIndexed: typeof items.markIndexed = async (...of) => {
        for (const model of [scene.first.model, other])
          marked.push((await scene.points(model)).filter((point) => point.includes(id)))
        return items.markIndexed(...of)
      }
      const work = scene.indexWith({ store: { ...scene.store, items: { ...items, markIndexed } } })
      expect(await work(plainRun(job))).toBeUndefined()
      const both = [`b ${id} 0`, `slow ${id} 0`]
      expect(marked).toEqual([both, both])
    },
  )
})
