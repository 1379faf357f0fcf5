import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import type { Upload } from '@cairn/domain/items/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import {
  createScene,
  type Document,
  documents,
  mint,
  type Scene,
  times,
  wallAt,
} from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { plainRun, type StepVerdict } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { describe, expect, it } from 'vitest'
import { failUpload, indexUpload } from './index-upload.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const setUp = async (embedder: Embedder = stubEmbedder()) => {
  const { clock, pass } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const scene = await createScene(store)
  const deps = { store, vectors, embedders: embedders({ current: embedder }), textWorker: directTextWorker, clock }
  const leased = async (id: string) => (await store.uploads.lease(id, mint('lease'))) as Upload
  const upload = async (what: readonly string[] | readonly Document[]) =>
    plainRun(await leased((await scene.accepted(what)).id))
  const work = (run: ReturnType<typeof plainRun<Upload>>) => indexUpload(deps)(run satisfies JobRun<Upload>)
  /** Uploads documents, runs the job, which ends with this result, and returns its record. */
  const done = async (what: readonly string[] | readonly Document[], result?: unknown): Promise<Upload> => {
    const run = await upload(what)
    expect(await work(run)).toEqual(result)
    return (await store.uploads.get(run.job.id)) as Upload
  }
  const points = async () =>
    (
      await vectors.list(embeddingSpaceOf(await scene.namespace()), { namespaceIds: [scene.namespaceId], limit: 1_000 })
    ).map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)
  const job = async (id: string) => (await store.uploads.get(id)) as Upload
  return { ...scene, deps, pass, leased, upload, work, done, points, job }
}

const document = (id: string, text: string): Document => ({ id, body: { text, metadata: '{}' } })
const poison = document('poison', 'this one is a poison for the embedder')
const longText = times(40, (number) => `Sentence number ${number} has seven words here.`).join(' ')

/**
 * Creates an embedder that throws `error()` for every batch that contains the poison; `refused` lists the sizes of
 * these batches.
 */
const poisoned = (error: () => Error) => {
  const refused: number[] = []
  const embedder = stubEmbedder({
    onEmbed: (texts) => {
      if (!texts.some((text) => text.includes('poison'))) return
      refused.push(texts.length)
      throw error()
    },
  })
  return { embedder, refused }
}

const outcomes = ({ outcomes: all }: Upload) =>
  Object.fromEntries(all.map(({ id, outcome, reason }) => [id, reason ?? outcome]))

it('makes every document found and says so', async () => {
  const { done, item, points, deps, namespace } = await setUp()
  const job = await done(['a', 'b'])
  expect(job).toMatchObject({ state: 'completed', lease: null })
  expect(outcomes(job)).toEqual({ a: 'completed', b: 'completed' })
  expect(await item('a')).toMatchObject({ status: 'completed', indexed: { version: job.id, passages: 1 } })
  expect(await points()).toEqual([`a ${job.id} 0`, `b ${job.id} 0`])
  const [vector] = await deps.embedders.current().embed(['text of b'], { kind: 'query' })
  const [best] = await deps.vectors.search(embeddingSpaceOf(await namespace()), {
    namespaceIds: [(await namespace()).id],
    vector: vector as Float32Array,
    limit: 1,
  })
  expect(best?.itemId).toBe('b')
})

it.each([
  [
    'fails for no reason we know',
    () => new TypeError('the model choked'),
    'internal',
    [3, 1, 1],
    { fault: new TypeError('the model choked') },
  ],
  [
    'is refused by the model',
    () => new AppError('invalid', 'this text can not be embedded'),
    'embedding_refused',
    [3, 1],
    undefined,
  ],
])('fails only the document that %s', async (_, error, reason, tries, fault) => {
  const { embedder, refused } = poisoned(error)
  const { done, item, points } = await setUp(embedder)
  const job = await done([document('a', 'a good one'), poison, document('b', 'another good one')], fault)
  expect(outcomes(job)).toEqual({ a: 'completed', poison: reason, b: 'completed' })
  expect(job.state).toBe('completed')
  expect(await item('poison')).toMatchObject({ status: 'failed', reason, indexed: null })
  expect(await points()).toEqual([`a ${job.id} 0`, `b ${job.id} 0`])
  expect(refused).toEqual(tries)
})

it('does not blame the model for what the index rejects', async () => {
  const scene = await setUp()
  const rejected = new AppError('invalid', 'passages are counted from 0')
  const vectors: VectorIndex = {
    ...scene.deps.vectors,
    upsert: async (space, points) => {
      if (points.some(({ itemId }) => itemId === 'b')) throw rejected
      return scene.deps.vectors.upsert(space, points)
    },
  }
  const run = await scene.upload(['a', 'b'])
  // The pool logs the error, and counts a failed run, for which there is an alert.
  expect(await indexUpload({ ...scene.deps, vectors })(run)).toEqual({ fault: rejected })
  expect(outcomes(await scene.job(run.job.id))).toEqual({ a: 'completed', b: 'internal' })
})

it('lets documents of other batches have no part in a failure', async () => {
  const { embedder, refused } = poisoned(() => new TypeError('the model choked'))
  const { done } = await setUp(embedder)
  const job = await done([...documents(times(60, (number) => `d${number}`)), poison], {
    fault: new TypeError('the model choked'),
  })
  expect(job.outcomes.filter(({ outcome }) => outcome === 'completed')).toHaveLength(60)
  expect(refused).toEqual([11, 1, 1])
})

describe('while the index is away', () => {
  const setUpAway = async () => {
    const embedder = stubEmbedder()
    const scene = await setUp(embedder)
    const away = { writes: false, reads: false }
    const unless = (isAway: boolean) => {
      if (isAway) throw new AppError('unavailable', 'the index is away')
    }
    const vectors: VectorIndex = {
      ...scene.deps.vectors,
      vectorsOf: async (...of) => {
        unless(away.reads)
        return scene.deps.vectors.vectorsOf(...of)
      },
      upsert: async (...of) => {
        unless(away.writes)
        return scene.deps.vectors.upsert(...of)
      },
    }
    return { ...scene, embedder, away, work: indexUpload({ ...scene.deps, vectors }) }
  }

  it('embeds nothing', async () => {
    const { upload, work, embedder, away, points } = await setUpAway()
    const run = await upload(['a', 'b'])
    away.reads = true
    await expect(work(run)).rejects.toMatchObject({ code: 'unavailable' })
    expect(embedder.embedded).toEqual([])
    away.reads = false
    expect(await work(run)).toBeUndefined()
    expect(await points()).toHaveLength(2)
  })

  it('embeds each text once, however often its write is tried', async () => {
    const { upload, work, embedder, away, points } = await setUpAway()
    const run = await upload([...documents(times(30, (number) => `d${number}`)), document('long', longText)])
    away.writes = true
    for (let tries = 0; tries < 3; tries += 1) await expect(work(run)).rejects.toMatchObject({ code: 'unavailable' })
    away.writes = false
    expect(await work(run)).toBeUndefined()
    expect(embedder.embedded).toHaveLength((await points()).length)
    expect(new Set(embedder.embedded).size).toBe(embedder.embedded.length)
  })
})

it('embeds no text that the namespace has already, under whatever id', async () => {
  const embedder = stubEmbedder()
  const { done, points } = await setUp(embedder)
  const first = await done([document('a', 'a text'), document('b', longText), document('c', 'a text')])
  const passages = (await points()).length
  expect(first.passages).toEqual({ reused: 1, embedded: passages - 1 })
  const again = await done([document('a', 'a text'), document('b', longText), document('d', 'a new text')])
  expect(again.passages).toEqual({ reused: passages - 1, embedded: 1 })
  expect(embedder.embedded).toHaveLength(passages)
  expect(embedder.embedded.at(-1)).toBe('a new text')
})

it('embeds a text again once the last point with it is gone', async () => {
  const embedder = stubEmbedder()
  const { done, deps, namespace, namespaceId } = await setUp(embedder)
  await done(['a'])
  await deps.vectors.removeNamespace(embeddingSpaceOf(await namespace()), namespaceId, 1_000)
  expect((await done(['a'])).passages).toEqual({ reused: 0, embedded: 1 })
  expect(embedder.embedded).toEqual(['text of a', 'text of a'])
})

it('fails the upload when every document failed', async () => {
  const { done } = await setUp(poisoned(() => new AppError('invalid', 'no')).embedder)
  expect(await done([poison])).toMatchObject({
    state: 'failed',
    outcomes: [{ outcome: 'failed', reason: 'embedding_refused' }],
  })
})

it('hands on that the embedder is away, and goes on with what is left when it runs again', async () => {
  let away = true
  const embedder = stubEmbedder({
    onEmbed: (texts) => {
      if (away && texts.some((text) => text.endsWith('of d30')))
        throw new AppError('unavailable', 'the embedder is away')
    },
  })
  const { upload, work, leased, store, job } = await setUp(embedder)
  const run = await upload(times(40, (number) => `d${number}`))
  await expect(work(run)).rejects.toMatchObject({ code: 'unavailable' })
  expect(run.state.progress).toBe(1)
  expect((await job(run.job.id)).state).toBe('running')
  await store.uploads.requeue(run.lease, { delayMs: 0, error: null, counted: false })
  away = false
  embedder.embedded.length = 0
  expect(await work(plainRun(await leased(run.job.id)))).toBeUndefined()
  expect((await job(run.job.id)).outcomes.every(({ outcome }) => outcome === 'completed')).toBe(true)
  expect(embedder.embedded).toHaveLength(15)
})

it.each([
  ['is loading', { state: 'loading', detail: 'fetching 12 %' } as const, /loading: fetching 12 %/],
  ['can not be used', { state: 'failed', detail: 'no such file' } as const, /failed: no such file/],
])('waits while the model %s', async (_, status, because) => {
  const { upload, work, item } = await setUp(stubEmbedder({ status: () => status }))
  expect(await work(await upload(['a']))).toEqual({ againMs: 5_000, because: expect.stringMatching(because) })
  expect((await item('a'))?.status).toBe('processing')
})

it('waits for a model that is not configured here', async () => {
  const other = stubEmbedder({ model: { provider: 'lexical', model: 'others', dimension: 256 } })
  const { upload, work } = await setUp(other)
  expect(await work(await upload(['a']))).toMatchObject({
    againMs: 5_000,
    because: 'the model words is not configured here',
  })
})

it('leaves the documents of a namespace that is being deleted alone', async () => {
  const { upload, work, store, namespaceId, points } = await setUp()
  const run = await upload(['a'])
  await store.beginNamespaceDeletion(namespaceId, 'del', wallAt)
  expect(await work(run)).toMatchObject({ againMs: 60_000 })
  expect(await points()).toEqual([])
})

it('embeds nothing that another upload has taken or a request has deleted', async () => {
  const embedder = stubEmbedder()
  const { upload, work, accepted, store, deleteInput, job } = await setUp(embedder)
  const run = await upload(['a', 'b', 'c'])
  await accepted([document('a', 'the later one')])
  await store.deleteItems(deleteInput(['b']))
  await work(run)
  expect(embedder.embedded).toEqual(['text of c'])
  expect(outcomes(await job(run.job.id))).toEqual({ a: 'superseded', b: 'deleted', c: 'completed' })
})

it('gives a long document as many passages as it takes, each found by its own words', async () => {
  const { done, item, points, deps, namespace } = await setUp()
  const job = await done([document('long', longText), document('short', 'Nothing of the kind.')])
  const passages = (await item('long'))?.indexed?.passages ?? 0
  expect(passages).toBeGreaterThan(15)
  expect(await points()).toHaveLength(passages + 1)
  const [vector] = await deps.embedders.current().embed(['Sentence number 37 has seven words here.'], { kind: 'query' })
  const { id } = await namespace()
  const [best] = await deps.vectors.search(embeddingSpaceOf(await namespace()), {
    namespaceIds: [id],
    vector: vector as Float32Array,
    limit: 1,
  })
  expect(best).toMatchObject({ itemId: 'long', version: job.id })
})

it('indexes vectors whose request did not come to it', async () => {
  const { deps, leased } = await setUp()
  const { store, vectors } = deps
  const scene = await createScene(store, 'vector')
  const vector = Float32Array.of(1, 2, 3, 4)
  const { id } = await scene.accepted([{ id: 'v', body: { text: 'a label', metadata: '{}', vector } }])
  expect(await indexUpload(deps)(plainRun(await leased(id)))).toBeUndefined()
  const [hit] = await vectors.search(
    { key: 'vector-4', dimension: 4 },
    { namespaceIds: [scene.namespaceId], vector, limit: 1 },
  )
  expect(hit).toMatchObject({ itemId: 'v', version: id, score: expect.closeTo(1, 5) })
})

/** Returns the result of a run: the points, and the state of each item. */
const left = async ({ points, item }: Awaited<ReturnType<typeof setUp>>, ids: readonly string[]) => ({
  points: await points(),
  items: await Promise.all(ids.map(item)),
})

it.each<[StepVerdict]>([['die before'], ['die after']])(
  'leaves the same whatever step a worker died at (%s), once another has done the job again',
  async (verdict) => {
    const ids = ['a', 'b', 'long']
    const what = [document('a', 'the second a'), document('b', 'the first b'), document('long', longText)]
    for (let step = 1, over = false; !over; step += 1) {
      const context = await setUp()
      const { done, upload, work, leased, job, expectExact } = context
      const first = await done([document('a', 'the first a'), document('long', 'it was short before')])
      const run = await upload(what)
      const dying = plainRun(run.job, (number) => (number === step ? verdict : 'go on'))
      over = await work(dying).then(
        () => true,
        () => false,
      )
      if (!over) {
        context.pass(30_000)
        expect(await work(plainRun((await leased(run.job.id)) ?? (await job(run.job.id))))).toBeUndefined()
      }
      const { points, items } = await left(context, ids)
      const { id } = run.job
      const passages = items.at(-1)?.indexed?.passages ?? 0
      expect(points, `step ${step}`).toEqual(
        [`a ${id} 0`, `b ${id} 0`, ...times(passages, (passage) => `long ${id} ${passage}`)].sort(byPassage),
      )
      for (const item of items)
        expect(item, `step ${step}`).toMatchObject({ status: 'completed', indexed: { version: id }, stale: [] })
      expect((await job(id)).state).toBe('completed')
      expect(outcomes(await job(first.id))).toEqual({ a: 'completed', long: 'completed' })
      await expectExact()
      expect(step).toBeLessThan(40)
      if (over) expect(step).toBeGreaterThan(8)
    }
  },
)

const byPassage = (one: string, other: string) => {
  const [[itemA, , a], [itemB, , b]] = [one.split(' '), other.split(' ')] as [string[], string[]]
  return itemA === itemB ? Number(a) - Number(b) : (itemA ?? '') < (itemB ?? '') ? -1 : 1
}

it('ends an upload that is given up: what is unfinished fails with the reason, the rest stands', async () => {
  const { embedder } = poisoned(() => new AppError('unavailable', 'never comes back'))
  const { upload, work, deps, job, item, points } = await setUp(embedder)
  const run = await upload([...documents(times(25, (number) => `d${number}`)), poison])
  await expect(work(run)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await failUpload(deps)(run, 'crashed_worker')).toBeUndefined()
  const ended = await job(run.job.id)
  expect(ended.state).toBe('completed')
  expect(ended.outcomes.filter(({ outcome }) => outcome === 'completed')).toHaveLength(25)
  expect(await item('poison')).toMatchObject({ status: 'failed', reason: 'crashed_worker' })
  expect(await points()).toHaveLength(25)
})

it('waits with giving up while the namespace is being deleted', async () => {
  const { upload, deps, store, namespaceId } = await setUp()
  const run = await upload(['a'])
  await store.beginNamespaceDeletion(namespaceId, 'del', wallAt)
  await store.deletions.insertOfNamespace((await (store as Scene['store']).namespaces.get(namespaceId)) as never, {
    space: { key: 'x', dimension: 1 },
    correlationId: 'c',
    traceparent: null,
    at: wallAt,
  })
  const lease = await store.deletions.lease('del', 'token')
  await store.deletions.releaseNamespace({ jobId: lease?.id ?? '', token: 'token' }, { removed: {}, at: wallAt })
  expect(await failUpload(deps)(run, 'internal')).toMatchObject({ againMs: 60_000 })
})
