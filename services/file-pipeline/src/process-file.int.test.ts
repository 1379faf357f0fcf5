import { join } from 'node:path'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { embedders } from '@cairn/adapters/embedder/registry'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { fileStored } from '@cairn/contracts/events'
import { limits } from '@cairn/contracts/limits'
import { permanentError } from '@cairn/contracts/permanent-error'
import { defaultTiers, tierOf } from '@cairn/domain/accounts/tiers'
import { extractionVersion, isOutdated } from '@cairn/domain/files/extraction-version'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { objectKey } from '@cairn/domain/files/object-keys'
import { type FileRecord, fileVersionPrefix, isDeadFileVersion } from '@cairn/domain/files/record'
import { registerObject } from '@cairn/domain/files/register-object'
import { pointsOf } from '@cairn/domain/items/write-points'
import { classify } from '@cairn/domain/jobs/job-error'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { encodePlaces } from '@cairn/domain/text/places'
import { extractors } from '@cairn/extract/extractors'
import { unreadable } from '@cairn/extract/unreadable'
import { createLogger } from '@cairn/runtime/process/logger'
import { forFile } from '@cairn/testing/for-file'
import { memoryFiles } from '@cairn/testing/memory-files'
import { plainRun, type StepVerdict } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { extractiveSummariser } from './chunk/summarise.ts'
import type { Extract, PipelineDeps } from './deps.ts'
import { failFile, processFile } from './process-file.ts'
import { reconcileUploads } from './reconcile-uploads.ts'
import { freeCharacters, freeChunks } from './text-limit.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const log = createLogger({ level: 'silent', name: 'test' })
const words = lexicalEmbedder()

/** Extracts in this process, so that a test can count the reads. */
const extractHere: Extract = ({ type, path, options }) => extractors[type](path, options)

const paragraph = (number: number, word = 'ridge') =>
  `Paragraph ${number} tells of the ${word}. ${'The cairn marks the path where the fog is thick. '.repeat(12)}`
const text = (paragraphs: number, word?: string) =>
  Array.from({ length: paragraphs }, (_, number) => `# Part ${number}\n\n${paragraph(number, word)}`).join('\n\n')

const setUp = async () => {
  const time = { store: 0, wall: wallAt }
  const store = stepwiseStore({ now: () => time.store })
  const scene = await createFileScene(store)
  const files = memoryFiles(() => time.wall)
  const vectors = vectorsOfFile()
  const model = stubEmbedder({ maxTokens: 100 })
  const models = { ...embedders({ current: model }), of: () => model }
  const { accountId, namespaceId, name: namespaceName } = scene
  const { embedding } = await scene.namespace()
  if (!embedding) throw new Error('a text namespace has a model')
  const told: string[] = []
  let waits = 0
  const send = async ({ fileId }: { readonly fileId: string }) => void told.push(fileId)
  const space = embeddingSpaceOf(await scene.namespace())
  /** Indexes due chunks in place of the ingestion service, in the simplest way, whenever the pipeline waits. */
  const ingestDue = async () => {
    for (const { id } of await store.uploads.due(100)) {
      const job = await store.uploads.lease(id, mint('lease'))
      if (job?.kind !== 'chunks') continue
      const { version } = job.file
      const wanted = job.ids.map((itemId) => ({ version, itemId }))
      if (isDeadFileVersion(await store.files.get(job.file.id), version)) await store.chunks.remove(wanted)
      else {
        const chunks = await store.chunks.get(wanted)
        const embedded = await model.embed(
          chunks.map(({ body }) => body.text),
          { kind: 'document' },
        )
        const entries = chunks.map(({ itemId, body }, index) => ({
          item: { namespaceId, id: itemId, version, body },
          passages: [{ text: body.text, vector: embedded[index] as Float32Array }],
        }))
        await vectors.upsert(space, await pointsOf(directTextWorker, entries))
        await store.chunks.markIndexed(
          version,
          chunks.map(({ itemId }) => ({ itemId, passages: 1 })),
        )
      }
      const outcomes = job.ids.map((itemId) => ({ id: itemId, outcome: 'completed' as const }))
      const lease = { jobId: id, token: job.lease?.token ?? '' }
      await store.uploads.complete(lease, { state: 'completed', outcomes, times: {}, at: time.wall })
    }
  }
  let ingesting = Promise.resolve()
  /** Runs ingestion serially: a second run at the same time would find the leases of the first and nothing due. */
  const ingest = () => {
    ingesting = ingesting.then(ingestDue)
    return ingesting
  }
  const clock = {
    now: () => time.wall,
    monotonic: () => time.store,
    delay: async (ms: number) => {
      time.store += ms
      waits += 1
      if (waits > 2_000) throw new Error('it waits for ever')
      await ingest()
    },
  }
  const deps: PipelineDeps = {
    store,
    vectors,
    files,
    bus: { publish: async () => undefined } as unknown as PipelineDeps['bus'],
    embedders: models,
    textWorker: directTextWorker,
    clock,
    ids: { next: mint },
    tiers: { ...defaultTiers, small: { ...tierOf(defaultTiers, 'enterprise'), documents: 5 } },
    log,
    extract: extractHere,
    summarise: extractiveSummariser(words),
    scratch: temporaryDirectory(),
  }
  const keyOf = (name: string) => objectKey(files, { id: namespaceId, accountId, name: namespaceName }, name)
  const grant = (name: string, fileMetadata: string | null = null) =>
    store.grants.open({
      metadata: fileMetadata,
      namespaceId,
      accountId,
      name,
      key: keyOf(name),
      contentType: 'text/markdown',
      expiresAt: time.wall + 900_000,
      uploadId: null,
      correlationId: 'request',
      traceparent: null,
      createdAt: time.wall,
    })
  const put = (name: string, content: string) =>
    files.put(keyOf(name), Buffer.from(content), { contentType: 'text/markdown' })
  const look = () => reconcileUploads({ ...deps, send })(new AbortController().signal)
  const pass = (ms: number) => {
    time.store += ms
    time.wall += ms
  }
  const bring = async (name: string, content: string, fileMetadata?: string) => {
    await grant(name, fileMetadata)
    await put(name, content)
    pass(6_000)
    await look()
    return scene.read(name)
  }
  const lease = async ({ id }: FileRecord): Promise<FileRecord | undefined> => store.files.lease(id, mint('lease'))
  /**
   * Runs workers that may die; the next worker takes over when the lease has expired. Resolves to the number of workers
   * and the steps of the last one.
   */
  const work = async (
    file: FileRecord,
    verdictOf: (worker: number) => (step: number) => StepVerdict = () => () => 'go on',
    own = deps,
  ) => {
    for (let worker = 1; worker <= 50; worker += 1) {
      const job = await lease(file)
      if (!job) {
        // The previous worker died after its last step.
        expect((await scene.read(file.name)).finishedAt).not.toBeNull()
        return { workers: worker, steps: 0 }
      }
      const run = plainRun(job, verdictOf(worker))
      try {
        const later = await processFile(own)(run)
        if (!later) return { workers: worker, steps: run.state.steps }
        await store.files.requeue(run.lease, {
          delayMs: later.againMs,
          error: later.because,
          counted: false,
          waits: later.waits ?? false,
        })
        await ingest()
        pass(later.againMs)
      } catch (error) {
        if (classify(error).kind === 'lost') return { workers: worker, steps: run.state.steps }
        if (!run.signal.aborted) throw error
        pass(31_000)
      }
    }
    throw new Error('it does not come to an end')
  }
  /** Checks that the counts match the stored chunks exactly, and that the index has at least as many points. */
  const expectExact = async () => {
    await scene.expectExact()
    const { itemCount } = await scene.namespace()
    expect(await store.chunks.countOfNamespace(namespaceId)).toBe(itemCount)
    expect(await vectors.count(space, namespaceId)).toBeGreaterThanOrEqual(itemCount)
  }
  const seen = async (idBase: string, numbers: number) =>
    (
      await store.chunks.published(
        namespaceId,
        Array.from({ length: numbers }, (_, number) => `${idBase}_chunk_${number}`),
      )
    ).map(({ body }) => body.text)
  return {
    ...scene,
    deps,
    files,
    vectors,
    space,
    time,
    keyOf,
    grant,
    put,
    look,
    pass,
    bring,
    work,
    lease,
    told,
    send,
    seen,
    expectExact,
    ingest,
  }
}

type Scene = Awaited<ReturnType<typeof setUp>>

const failures: readonly (readonly [string, string, (scene: Scene) => Promise<unknown>])[] = [
  ['whose object is gone', 'object_missing', (scene) => scene.files.remove([scene.keyOf('a.md')])],
  [
    'that does not fit the plan',
    'quota_exceeded',
    (scene) => scene.store.accounts.update(scene.accountId, { tier: 'small' }),
  ],
  ['whose ids documents have', 'id_conflict', (scene) => scene.accepted(['b.md_chunk_0'])],
]

describe('processing a file', () => {
  it('publishes its chunks and their summary, with their places', async () => {
    const { bring, work, read, store, namespaceId, expectExact, told } = await setUp()
    const file = await bring('guide.md', text(4))
    expect(told).toEqual([file.id])
    await work(file)
    const done = await read('guide.md')
    expect(done).toMatchObject({
      state: 'completed',
      stage: 'done',
      outcome: { state: 'completed' },
      live: { summaries: 1 },
      stale: [],
    })
    const chunks = await store.chunks.published(namespaceId, ['guide.md_chunk_0', 'guide.md_summary_0'])
    expect(chunks.map(({ body }) => JSON.parse(body.metadata))).toMatchObject([
      { source: 'guide.md', heading: 'Part 0', chunk_index: 0, summary_chunk_id: 'guide.md_summary_0', offset_from: 0 },
      { source: 'guide.md', is_summary: true },
    ])
    await expectExact()
  })

  it('counts one start, although the job pauses while its chunks are being indexed', async () => {
    const { bring, work, read } = await setUp()
    await work(await bring('guide.md', text(4)))
    const { leaseSeq, waits = 0 } = await read('guide.md')
    expect(waits).toBeGreaterThan(0)
    expect(leaseSeq - waits).toBe(1)
  })

  it('checks soon whether its chunks are indexed, and less often the longer it waits', async () => {
    const { bring, lease, deps, store, pass, read } = await setUp()
    const file = await bring('guide.md', text(4))
    // Nothing is indexed during a delay.
    const process = processFile({ ...deps, clock: { ...deps.clock, delay: async () => undefined } })
    const pauses: number[] = []
    for (let total = 0; total < 60_000; ) {
      const job = await lease(file)
      if (!job) throw new Error('it is not due')
      const run = plainRun(job, () => 'go on')
      const later = await process(run)
      if (!later) throw new Error('it has ended')
      await store.files.requeue(run.lease, { delayMs: later.againMs, error: null, counted: false, waits: true })
      pass(later.againMs)
      pauses.push(later.againMs)
      total += later.againMs
    }
    expect(pauses.slice(0, 6)).toEqual([250, 250, 500, 1_000, 2_000, 4_000])
    expect(new Set(pauses.slice(6))).toEqual(new Set([5_000]))
    expect((await read('guide.md')).attempts).toBe(0)
  })

  it('adds the properties of the file to the metadata of all chunks, without replacing reserved keys', async () => {
    const { bring, work, store, namespaceId } = await setUp()
    const front = `---\ntitle: 1984\ntags: [alpine, hut]\npage: 9\nis_summary: true\nsource: elsewhere\nlong: ${'x'.repeat(990)}\nlonger: ${'y'.repeat(990)}\nauthor: Ann\n---\n\n`
    await work(await bring('post.md', front + text(2)))
    const found = await store.chunks.published(namespaceId, ['post.md_chunk_0', 'post.md_summary_0'])
    const own = found.map(({ body }) => JSON.parse(body.metadata))
    expect(own).toMatchObject([
      { title: '1984', tags: ['alpine', 'hut'], author: 'Ann', source: 'post.md', long: expect.stringMatching(/^x+$/) },
      {
        title: '1984',
        tags: ['alpine', 'hut'],
        author: 'Ann',
        source: 'post.md',
        page: 'summary_0_chunks_0_3',
        is_summary: true,
      },
    ])
    expect(own[0]).not.toHaveProperty('page')
    expect(own[0]).not.toHaveProperty('is_summary')
    for (const { body } of found) expect(Buffer.byteLength(body.metadata)).toBeLessThanOrEqual(limits.metadataBytes)
    expect(own[0]).not.toHaveProperty('longer')
  })

  it('notes each page that OCR read once, and leaves space for other notes', async () => {
    const { bring, work, read, deps } = await setUp()
    const block = { event: 'block', block: { seq: 0, kind: 'text', text: paragraph(1), at: { page: 1 } } } as const
    const extract: Extract = async function* () {
      yield block
      for (let page = 1; page <= 150; page += 1) yield { event: 'ocr', page, confidence: 90 }
      yield { event: 'ocr', page: 1, confidence: 90 }
      yield { event: 'note', code: 'truncated', message: 'Pages from 151 on were not read.' }
    }
    await work(await bring('scan.md', 'scanned'), undefined, { ...deps, extract })
    const { notes } = await read('scan.md')
    expect(notes.filter(({ code }) => code === 'read_by_ocr')).toHaveLength(80)
    expect(notes.at(-1)).toMatchObject({ code: 'truncated' })
    expect(new Set(notes.map(({ message }) => message)).size).toBe(notes.length)
  })

  it('stores the places of each chunk', async () => {
    const { bring, work, deps, store, namespaceId } = await setUp()
    const box = { x0: 6_000, y0: 7_000, x1: 50_000, y1: 8_000 }
    const places = encodePlaces([{ start: 0, end: 8, ...box }])
    const extract: Extract = async function* () {
      yield { event: 'block', block: { seq: 0, kind: 'text', text: 'one line', at: { page: 1 }, places } }
      yield { event: 'block', block: { seq: 1, kind: 'text', text: 'another', at: { page: 2 } } }
    }
    await work(await bring('a.md', 'pages'), undefined, { ...deps, extract })
    const found = await store.chunks.published(namespaceId, ['a.md_chunk_0', 'a.md_chunk_1', 'a.md_summary_0'])
    expect(found.map((chunk) => chunk.places)).toEqual([places, undefined, undefined])
    for (const { body } of found) expect(JSON.stringify(body)).not.toContain(places)
  })

  it.each([1, 101])('writes no summary of a single chunk: %i chunks', async (count) => {
    const { bring, work, read, deps, store, namespaceId, expectExact } = await setUp()
    const extract: Extract = async function* () {
      for (let page = 1; page <= count; page += 1)
        yield {
          event: 'block',
          block: { seq: page - 1, kind: 'text', text: `The words of page ${page}.`, at: { page } },
        }
    }
    await work(await bring('a.md', text(4)))
    await work(await bring('a.md', 'pages'), undefined, { ...deps, extract })
    const summaries = Math.floor(count / 100)
    expect((await read('a.md')).live).toMatchObject({ chunks: count, summaries })
    const [first, last] = ['a.md_chunk_0', `a.md_chunk_${count - 1}`]
    const found = await store.chunks.published(namespaceId, [first, last, 'a.md_summary_0', 'a.md_summary_1'])
    const naming = found.map(({ itemId, body }) => [itemId, JSON.parse(body.metadata).summary_chunk_id])
    expect(Object.fromEntries(naming)).toEqual({
      ...(count > 1 ? { [first]: 'a.md_summary_0', 'a.md_summary_0': undefined } : {}),
      [last]: undefined,
    })
    await expectExact()
  })

  it('is outdated if an earlier version has begun to read it, until it is processed again', async () => {
    const { bring, work, read, lease, store, time } = await setUp()
    const file = await bring('guide.md', text(4))
    const job = await lease(file)
    const held = { jobId: file.id, token: job?.lease?.token ?? '' }
    const state = { chunks: 0, seq: 0, headings: [] }
    const passages = { reused: 0, embedded: 0 }
    const begun = { state, pending: [], refused: 0, passages, title: 'guide.md', characters: 0, end: null }
    const checkpoint = { ...begun, extraction: 0 }
    await store.files.recordProgress(held, { version: file.version, set: { checkpoint }, at: wallAt })
    await store.files.requeue(held, { delayMs: 0, error: null, counted: false })
    await work(file)
    const outdated = await read('guide.md')
    expect(outdated).toMatchObject({ state: 'completed', live: { extraction: 0 } })
    expect(isOutdated(outdated)).toBe(true)
    const version = mint(fileVersionPrefix)
    const cause = { correlationId: 'retry', traceparent: null }
    await store.files.reprocess(file.id, { from: file.version, version, options: {}, at: time.wall, ...cause })
    await work(file)
    const current = await read('guide.md')
    expect(current.live).toMatchObject({ version, extraction: extractionVersion })
    expect(isOutdated(current)).toBe(false)
  })

  it('keeps the notes of a file that fails', async () => {
    const { bring, work, read, deps } = await setUp()
    const extract: Extract = async function* () {
      yield { event: 'note', code: 'text_hidden', message: 'All text is hidden.', at: { page: 1 } }
      throw permanentError('no_text', 'The file holds no text.')
    }
    await work(await bring('hidden.md', 'content'), undefined, { ...deps, extract })
    expect(await read('hidden.md')).toMatchObject({
      state: 'failed',
      notes: [{ code: 'text_hidden', at: { page: 1 } }],
    })
  })

  it('keeps the places of notes, each place once', async () => {
    const { bring, work, read, deps } = await setUp()
    const message = 'A picture was not read.'
    const sheet = 's'.repeat(1_000)
    const extract: Extract = async function* () {
      yield { event: 'block', block: { seq: 0, kind: 'text', text: paragraph(1), at: {} } }
      for (const page of [2, 7, 2]) yield { event: 'note', code: 'content_not_read', message, at: { page } }
      yield { event: 'note', code: 'value_cut', message: 'A cell was cut.', at: { sheet, rows: { from: 4, to: 4 } } }
      yield { event: 'note', code: 'truncated', message: 'The rest was not read.' }
    }
    await work(await bring('places.md', 'content'), undefined, { ...deps, extract })
    expect((await read('places.md')).notes).toEqual([
      { code: 'content_not_read', message, at: { page: 2 } },
      { code: 'content_not_read', message, at: { page: 7 } },
      { code: 'value_cut', message: 'A cell was cut.', at: { sheet: `${'s'.repeat(299)}…`, rows: { from: 4, to: 4 } } },
      { code: 'truncated', message: 'The rest was not read.' },
    ])
  })

  it('adds up the time of each stage over all workers', async () => {
    const { bring, work, read, deps, pass } = await setUp()
    const extract: Extract = async function* (...given) {
      pass(400)
      yield* extractHere(...given)
      pass(2_000)
    }
    const file = await bring('guide.md', text(70))
    const dies = (worker: number) => (step: number) => (worker === 1 && step === 15 ? 'die before' : 'go on')
    const { workers } = await work(file, dies, { ...deps, extract })
    // One worker dies, one continues until its chunks wait to be indexed, and one ends the job.
    expect(workers).toBe(3)
    const { times } = await read('guide.md')
    expect(Object.keys(times).toSorted()).toEqual(['fetching', 'indexing', 'publishing', 'reading'])
    expect(times['reading']).toBeGreaterThanOrEqual(2_400)
  })

  it('writes a summary for each hundred chunks', async () => {
    const { bring, work, read, store, namespaceId, expectExact } = await setUp()
    await work(await bring('long.md', text(220)))
    const { live } = await read('long.md')
    expect(live?.summaries).toBe(Math.ceil((live?.chunks ?? 0) / 100))
    const [second] = await store.chunks.published(namespaceId, ['long.md_summary_1'])
    expect(JSON.parse(second?.body.metadata ?? '')).toMatchObject({ page: 'summary_1_chunks_100_199' })
    await expectExact()
  })

  it('has the same result wherever workers die, and continues from the last batch', { timeout: 60_000 }, async () => {
    const whole = await setUp()
    const { steps } = await whole.work(await whole.bring('guide.md', text(70)))
    const expected = await whole.seen('guide.md', 200)
    expect(expected.length).toBeGreaterThan(60)
    for (const death of ['die before', 'die after'] as const) {
      for (let index = 1; index <= steps; index += Math.max(1, Math.floor(steps / 6))) {
        const scene = await setUp()
        const file = await scene.bring('guide.md', text(70))
        await scene.work(file, (worker) => (step) => (worker === 1 && step === index ? death : 'go on'))
        expect({ at: index, death, state: (await scene.read('guide.md')).state }).toEqual({
          at: index,
          death,
          state: 'completed',
        })
        expect(await scene.seen('guide.md', 200)).toEqual(expected)
        await scene.expectExact()
      }
    }
  })

  it('continues from a checkpoint', async () => {
    const { bring, work, deps } = await setUp()
    const from: unknown[] = []
    const extract: Extract = (request, options) => {
      from.push(request.options.from)
      return deps.extract(request, options)
    }
    const file = await bring('guide.md', text(120))
    let submitted = 0
    const store = {
      ...deps.store,
      chunks: {
        ...deps.store.chunks,
        submit: async (...of: Parameters<typeof deps.store.chunks.submit>) => {
          submitted += 1
          return deps.store.chunks.submit(...of)
        },
      },
    }
    await work(file, (worker) => () => (worker === 1 && submitted >= 2 ? 'die before' : 'go on'), {
      ...deps,
      extract,
      store,
    })
    expect(from).toEqual([undefined, { seq: expect.any(Number) }])
    expect((from[1] as { readonly seq: number }).seq).toBeGreaterThan(20)
  })

  it('replaces the previous version once all is indexed, and leaves none of it', async () => {
    const { bring, work, seen, expectExact } = await setUp()
    await work(await bring('guide.md', text(6, 'ridge')))
    const next = await bring('guide.md', text(2, 'valley'))
    expect((await seen('guide.md', 20)).join()).not.toContain('valley')
    await work(next)
    const now = (await seen('guide.md', 20)).join()
    expect([now.includes('valley'), now.includes('ridge')]).toEqual([true, false])
    await expectExact()
  })

  it('adds the metadata of the upload to all chunks, and changes them without extracting the file again', async () => {
    const { bring, work, read, store, namespaceId, deps, vectors, space, expectExact } = await setUp()
    const front = `---\nauthor: Ann\n---\n\n`
    const its = async () => {
      const ids = ['guide.md_chunk_0', 'guide.md_chunk_119', 'guide.md_summary_0', 'guide.md_summary_1']
      const found = await store.chunks.published(namespaceId, ids)
      expect(found).toHaveLength(4)
      return found.map(({ body }) => JSON.parse(body.metadata))
    }
    await work(await bring('guide.md', front + text(120), '{"team":"alps","page":7,"author":"Eve"}'))
    for (const one of await its()) expect(one).toMatchObject({ team: 'alps', author: 'Eve', source: 'guide.md' })
    expect((await its())[0]).not.toHaveProperty('page')
    const before = await read('guide.md')
    const change = { at: deps.clock.now(), correlationId: 'request-2', traceparent: null }
    await store.files.changeMetadata(namespaceId, 'guide.md', {
      metadata: '{"year":1843}',
      version: mint(fileVersionPrefix),
      ...change,
    })
    const never: PipelineDeps['extract'] = () => {
      throw new Error('the file was extracted')
    }
    const texts = async () =>
      (await store.chunks.ofVersion((await read('guide.md')).live?.version ?? '', { limit: 1_000 })).map(
        ({ itemId, body }) => [itemId, body.text],
      )
    const textsBefore = await texts()
    // Each worker dies after some steps, so that copying continues from its checkpoint.
    await work(
      await read('guide.md'),
      (worker) => (step) => (worker < 8 && step === 4 + worker ? 'die after' : 'go on'),
      {
        ...deps,
        extract: never,
      },
    )
    const after = await read('guide.md')
    expect(after).toMatchObject({
      state: 'completed',
      stale: [],
      live: { chunks: before.live?.chunks, summaries: before.live?.summaries, extraction: before.live?.extraction },
    })
    expect(after.live?.version).not.toBe(before.live?.version)
    for (const one of await its()) {
      expect(one).toMatchObject({ year: 1843, author: 'Ann', source: 'guide.md' })
      expect(one).not.toHaveProperty('team')
    }
    expect(await texts()).toEqual(textsBefore)
    expect(await vectors.count(space, namespaceId)).toBe(textsBefore.length)
    await expectExact()
  })

  it('adds metadata to chunks of an earlier version that did not store the extracted metadata', async () => {
    const { bring, work, read, store, namespaceId, deps } = await setUp()
    await work(await bring('guide.md', text(3)))
    const [chunk] = await store.chunks.published(namespaceId, ['guide.md_chunk_0'])
    expect(chunk).not.toHaveProperty('extracted')
    for (const json of ['{"a":1}', '{"b":2}']) {
      const change = { metadata: json, version: mint(fileVersionPrefix), at: 0, correlationId: 'r', traceparent: null }
      await store.files.changeMetadata(namespaceId, 'guide.md', change)
      await work(await read('guide.md'), undefined, deps)
    }
    const [now] = await store.chunks.published(namespaceId, ['guide.md_chunk_0'])
    expect(JSON.parse(now?.body.metadata ?? '')).toEqual({ ...JSON.parse(chunk?.body.metadata ?? ''), b: 2 })
  })

  it('changes metadata above the limit of the account, because no documents are added', async () => {
    const { bring, work, read, store, namespaceId, accountId, deps } = await setUp()
    await work(await bring('guide.md', text(4)))
    await store.accounts.update(accountId, { tier: 'small' })
    const change = {
      metadata: '{"a":1}',
      version: mint(fileVersionPrefix),
      at: 0,
      correlationId: 'r',
      traceparent: null,
    }
    await store.files.changeMetadata(namespaceId, 'guide.md', change)
    await work(await read('guide.md'), undefined, deps)
    expect(await read('guide.md')).toMatchObject({ state: 'completed', live: { version: change.version } })
  })

  it('does not read the same bytes again', async () => {
    const { bring, work, read, lease } = await setUp()
    const first = await bring('guide.md', text(2))
    await work(first)
    const again = await bring('guide.md', text(2))
    expect(again).toMatchObject({ version: first.version, state: 'completed', unchangedAt: expect.any(Number) })
    expect(await lease(again)).toBeUndefined()
    expect((await read('guide.md')).state).toBe('completed')
  })

  it('registers a new version if the object was replaced before it is fetched', async () => {
    const { bring, put, work, read, seen } = await setUp()
    const file = await bring('guide.md', text(2, 'ridge'))
    await put('guide.md', text(2, 'valley'))
    await work(file)
    const next = await read('guide.md')
    expect(next).toMatchObject({ state: 'queued', live: null })
    expect(next.version).not.toBe(file.version)
    await work(next)
    expect((await seen('guide.md', 20)).join()).toContain('valley')
  })

  it('fails with the reason, and keeps the version published before', async () => {
    const { bring, work, read, seen, expectExact, deps } = await setUp()
    await work(await bring('guide.md', text(2, 'ridge')))
    const broken: Extract = async function* (request, options) {
      let blocks = 0
      for await (const event of deps.extract(request, options)) {
        yield event
        blocks += 1
        if (blocks > 3) throw unreadable('damaged', 'It ends in the middle.')
      }
    }
    await work(await bring('guide.md', text(60, 'valley')), undefined, { ...deps, extract: broken })
    expect(await read('guide.md')).toMatchObject({
      state: 'failed',
      outcome: { reason: 'damaged', message: 'It ends in the middle.' },
      stale: [],
    })
    expect((await seen('guide.md', 20)).join()).toContain('ridge')
    await expectExact()
  })

  it.each(failures)('fails for a file %s', async (_, reason, prepare) => {
    const scene = await setUp()
    const name = reason === 'id_conflict' ? 'b.md' : 'a.md'
    if (reason === 'id_conflict') await prepare(scene)
    const file = await scene.bring(name, text(30))
    if (reason !== 'id_conflict') await prepare(scene)
    await scene.work(file)
    expect(await scene.read(name)).toMatchObject({ state: 'failed', outcome: { reason } })
    expect(await scene.store.chunks.countOfNamespace(scene.namespaceId)).toBe(0)
    expect(await scene.vectors.count(scene.space, scene.namespaceId)).toBe(0)
  })

  it('fails for a file above the size limit and removes the object, unless it was replaced', async () => {
    const { arrived, files, put, work, read, keyOf, deps, seen } = await setUp()
    const head: typeof files.head = async (key) => {
      const found = await files.head(key)
      return found && { ...found, sizeBytes: limits.fileBytes + 1 }
    }
    for (const name of ['removed.md', 'replaced.md']) {
      const { etag } = await put(name, text(2, 'ridge'))
      await arrived(name, '', {
        key: keyOf(name),
        object: { etag, sizeBytes: limits.fileBytes + 1, modifiedAt: wallAt },
      })
    }
    await work(await read('removed.md'), undefined, { ...deps, files: { ...files, head } })
    expect(await read('removed.md')).toMatchObject({ state: 'failed', outcome: { reason: 'object_too_large' } })
    expect(await files.head(keyOf('removed.md'))).toBeUndefined()
    await put('replaced.md', text(2, 'valley'))
    await work(await read('replaced.md'))
    expect(await files.head(keyOf('replaced.md'))).toBeDefined()
    await work(await read('replaced.md'))
    expect(await read('replaced.md')).toMatchObject({ state: 'completed' })
    expect((await seen('replaced.md', 20)).join()).toContain('valley')
  })

  it('fails for a file with more text than its size allows, also after a takeover, and keeps no chunks', {
    timeout: 60_000,
  }, async () => {
    const { bring, work, read, deps, store, vectors, space, namespaceId, expectExact } = await setUp()
    const long = 'x'.repeat(50_000)
    let told = 0
    const extract: Extract = async function* ({ options }) {
      for (let seq = options.from?.seq ?? 0; ; seq += 1) {
        told = seq
        yield { event: 'block', block: { seq, kind: 'text', text: long, at: {} } }
        if (seq % 2 === 0)
          yield { event: 'block', block: { seq: ++seq, kind: 'heading', level: 1, text: 'Next', at: {} } }
      }
    }
    const dies = (worker: number) => (step: number) => (worker === 1 && step === 60 ? 'die before' : 'go on')
    await work(await bring('guide.md', text(2)), dies, { ...deps, extract })
    expect(await read('guide.md')).toMatchObject({ state: 'failed', outcome: { reason: 'too_much_text' }, stale: [] })
    expect(told * 25_000).toBeLessThan(freeCharacters + 10_000_000)
    expect(await store.chunks.countOfNamespace(namespaceId)).toBe(0)
    expect(await vectors.count(space, namespaceId)).toBe(0)
    await expectExact()
  })

  it('fails for a file with one chunk more than its distinct text allows, and keeps no chunks', {
    timeout: 60_000,
  }, async () => {
    const { bring, work, read, deps, store, namespaceId } = await setUp()
    const extract: Extract = async function* ({ options }) {
      const { seq: from, page = from + 1 } = options.from ?? { seq: 0 }
      for (let seq = from; seq <= freeChunks; seq += 1)
        yield {
          event: 'block',
          block: { seq, kind: 'text', text: `Sheet ${seq % 7}`, at: { page: page + seq - from } },
        }
    }
    const tiers = { community: tierOf(defaultTiers, 'enterprise') }
    await work(await bring('guide.md', text(2)), undefined, { ...deps, tiers, extract })
    expect(await read('guide.md')).toMatchObject({
      state: 'failed',
      outcome: {
        reason: 'too_many_chunks',
        message: `The file has more than ${freeChunks} chunks, with 49 characters of different text.`,
      },
    })
    expect(await store.chunks.countOfNamespace(namespaceId)).toBe(0)
  })

  it('releases its slot while ingestion is behind, and continues later', async () => {
    const { bring, work, read, deps, expectExact } = await setUp()
    const { clock } = deps
    const delay: typeof clock.delay = (ms) => clock.delay(ms * 1_000)
    const { workers } = await work(await bring('guide.md', text(1_500)), undefined, {
      ...deps,
      clock: { ...clock, delay },
    })
    expect(workers).toBeGreaterThan(4)
    expect(await read('guide.md')).toMatchObject({ state: 'completed' })
    await expectExact()
  })

  it('counts the time of the reader and of the text worker, but not the time it waits for others', async () => {
    const { bring, work, read, deps, store, pass, time, expectExact } = await setUp()
    let ownMs = 0
    const works = (ms: number) => {
      ownMs += ms
      pass(ms)
    }
    const paused: number[][] = []
    const extract: Extract = async function* (request, options) {
      const from = time.store - ownMs
      for await (const event of deps.extract(request, options)) {
        works(10)
        // Blocks are read ahead of their chunks.
        paused.push([options.pausedMs?.() ?? 0, time.store - from - ownMs])
        yield event
      }
    }
    const slow: PipelineDeps = {
      ...deps,
      extract,
      store: {
        ...store,
        chunks: {
          ...store.chunks,
          submit: async (batch) => {
            pass(20_000)
            return store.chunks.submit(batch)
          },
        },
      },
      textWorker: {
        ...directTextWorker,
        cut: async (part, tokens, sizes, turn) => {
          pass(3_000)
          turn?.onWaited?.(3_000)
          works(700)
          return directTextWorker.cut(part, tokens, sizes)
        },
      },
    }
    await work(await bring('guide.md', text(120)), undefined, slow)
    expect(await read('guide.md')).toMatchObject({ state: 'completed' })
    const [counted = 0, expected] = paused.at(-1) ?? []
    expect(counted).toBe(expected)
    expect(counted).toBeGreaterThan(60_000)
    expect(ownMs).toBeGreaterThan(10_000)
    await expectExact()
  })

  it('keeps its slot if its first new chunk took long, so that each run submits many batches', async () => {
    const { bring, work, deps, expectExact } = await setUp()
    const extract: Extract = async function* (...request) {
      await deps.clock.delay(10 * 60_000)
      yield* deps.extract(...request)
    }
    const { workers } = await work(await bring('guide.md', text(1_500)), undefined, { ...deps, extract })
    expect(workers).toBeLessThan(4)
    await expectExact()
  })

  it('fails after its last start with a message without internal details', async () => {
    const { bring, lease, read, deps } = await setUp()
    const file = await lease(await bring('guide.md', text(2)))
    if (!file) throw new Error('no lease was to be had')
    await failFile(deps)(plainRun(file), 'internal')
    expect(await read('guide.md')).toMatchObject({
      state: 'failed',
      outcome: { reason: 'internal', message: expect.stringMatching(/see the server log/) },
    })
  })

  it('ends when its file is deleted, and leaves no chunks', async () => {
    const { bring, work, deps, store, deleteFileInput, namespaceId } = await setUp()
    const file = await bring('guide.md', text(60))
    let deleted = false
    const extract: Extract = async function* (request, options) {
      for await (const event of deps.extract(request, options)) {
        if (!deleted && event.event === 'block' && event.block.seq > 90) {
          deleted = true
          await store.deleteFile(deleteFileInput('guide.md'))
        }
        yield event
      }
    }
    await work(file, undefined, { ...deps, extract })
    expect(deleted).toBe(true)
    expect(await store.files.byName(namespaceId, 'guide.md')).toBeUndefined()
  })
})

describe('arrival', () => {
  it('is registered once without an event, and repeated events change nothing', async () => {
    const { bring, look, read, pass, told, deps, send, grant, put } = await setUp()
    const file = await bring('a.md', text(1))
    for (let turn = 0; turn < 3; turn += 1) {
      pass(31_000)
      await look()
    }
    expect((await read('a.md')).version).toBe(file.version)
    expect(told).toEqual([file.id])
    const opened = await grant('b.md')
    const object = await put('b.md', text(1))
    if (!opened) throw new Error('no grant')
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => registerObject({ ...deps, send }, opened, object)),
    )
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['known', 'known', 'queued'])
  })

  it('is registered within a minute while its address is valid, and within a day after', async () => {
    const { grant, put, look, pass, read } = await setUp()
    await grant('late.md')
    for (let seconds = 0; seconds < 800; seconds += 5) {
      pass(5_000)
      await look()
    }
    await put('late.md', text(1))
    for (let seconds = 0; seconds < 60; seconds += 5) {
      pass(5_000)
      await look()
    }
    expect(await read('late.md')).toMatchObject({ state: 'queued' })
    await grant('later.md')
    pass(6 * 3_600_000)
    await look()
    await put('later.md', text(1))
    pass(601_000)
    await look()
    expect(await read('later.md')).toMatchObject({ state: 'queued' })
  })

  it('of a deleted file, or of an orphan, ends with its removal', async () => {
    const { bring, put, look, pass, store, deleteFileInput, files, keyOf } = await setUp()
    await bring('a.md', text(1))
    await store.deleteFile(deleteFileInput('a.md'))
    await put('a.md', text(1))
    pass(31_000)
    await look()
    expect(await files.head(keyOf('a.md'))).toBeUndefined()
  })
})

it('emits the event that its topic defines', () => {
  expect(fileStored.topic).toBe('cairn.files')
})
