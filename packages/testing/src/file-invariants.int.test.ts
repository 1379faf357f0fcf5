import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { createFileScene, drafts, object } from '@cairn/domain/files/file-scene.fixture'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { FileRecord } from '@cairn/domain/files/record'
import { wallAt } from '@cairn/domain/protocol/scene.fixture'
import { expect, it, onTestFinished } from 'vitest'
import { checkFiles } from './file-invariants.ts'
import { memoryFiles } from './memory-files.ts'
import { stepwiseStore } from './stepwise-store.ts'
import { temporaryFile } from './temporary.ts'

const space = { key: 'test', dimension: 2 }

/** Creates a valid namespace with one file of three chunks and a summary. */
const setUp = async () => {
  const store = stepwiseStore({ now: () => 0 })
  const vectors = sqliteVectorIndex({ file: temporaryFile() })
  onTestFinished(() => vectors.close())
  const files = memoryFiles(() => wallAt)
  const scene = await createFileScene(store)
  const { namespaceId } = scene
  const namespace = await scene.namespace()
  const keyOf = (name: string) => objectKey(files, namespace, name)
  const put = (name: string, content: string) =>
    files.put(keyOf(name), Buffer.from(content), { contentType: 'text/plain' })
  const begin = async (name: string, content: string) => {
    const { etag } = await put(name, content)
    return scene.leased(await scene.arrived(name, content, { key: keyOf(name), object: object(content, { etag }) }))
  }
  const pointOf = (version: string, itemId: string, passage = 0) =>
    vectors.upsert(space, [
      { namespaceId, itemId, version, passage, vector: Float32Array.of(1, passage + 1), terms: [], words: [] },
    ])
  const index = async ({ version }: FileRecord, ids: readonly string[]) => {
    for (const itemId of ids) await pointOf(version, itemId)
    const marks = ids.map((itemId) => ({ itemId, passages: 1 }))
    await store.chunks.markIndexed(version, marks)
  }
  /** Processes a file and publishes `chunks` chunks and a summary, even if a different number was submitted. */
  const read = async (
    name: string,
    content: string,
    options: { readonly given?: number; readonly chunks?: number } = {},
  ) => {
    const { given = 3, chunks = given } = options
    const { file, lease } = await begin(name, content)
    const what = [...drafts(name, 0, given), ...drafts(name, 0, 1, 'summary')]
    await scene.submit(file, lease, what)
    const ids = what.map(({ itemId }) => itemId)
    await index(file, ids)
    await scene.publish(file, lease, chunks, 1)
    return { file, lease, end: () => store.files.complete(lease, { times: {}, at: wallAt }) }
  }
  /** Fails a file without cleaning up. */
  const fail = async (name: string, content: string, { reason = 'damaged', given = 0 } = {}) => {
    const { file, lease } = await begin(name, content)
    if (given > 0) await scene.submit(file, lease, drafts(name, 0, given))
    await store.files.fail(lease, { version: file.version, reason, message: '', at: wallAt })
    await store.files.complete(lease, { times: {}, at: wallAt })
    return file
  }
  const { file, end } = await read('a.txt', 'text')
  await end()
  const broken = async (): Promise<readonly string[]> =>
    (await checkFiles({ store, vectors, files, embeddingSpaceOf: () => space })).map(
      ({ invariant, message }) => `${invariant}: ${message}`,
    )
  return { ...scene, store, vectors, files, file, keyOf, put, begin, read, fail, pointOf, broken }
}

type Scene = Awaited<ReturnType<typeof setUp>>

/** Faults: the name, the function that plants the fault, and every message that the checker must report. */
const planted: readonly (readonly [string, (scene: Scene) => Promise<unknown>, readonly RegExp[]])[] = [
  ['an object of no file', ({ put }) => put('b.txt', 'text'), [/the object .*\/b\.txt is of no file/]],
  ['a file without its object', ({ files, keyOf }) => files.remove([keyOf('a.txt')]), [/a\.txt has no object/]],
  ['bytes that nobody took in', ({ put }) => put('a.txt', 'other'), [/a\.txt has the object \w+ of 5 bytes/]],
  ['a file that nobody reads', ({ begin }) => begin('b.txt', 'text'), [/b\.txt is still running \(waiting\)/]],
  ['a file that is not ended', ({ read }) => read('b.txt', 'text'), [/b\.txt is still running \(cleaning\)/]],
  [
    'a file reported as deleted',
    async ({ store, namespaceId, accountId, keyOf }) => {
      const times = { expiresAt: wallAt, createdAt: wallAt }
      const asked = { uploadId: null, correlationId: 'request', traceparent: null, contentType: 'text/plain' }
      await store.grants.open({ namespaceId, accountId, name: 'a.txt', key: keyOf('a.txt'), ...asked, ...times })
      await store.grants.revoke(namespaceId, 'a.txt')
    },
    [/a\.txt is there although it was deleted/],
  ],
  [
    'a version that is stale and still listed',
    ({ fail }) => fail('b.txt', 'text'),
    [/b\.txt still lists stale versions: fver_/],
  ],
  [
    'a failure without a reason',
    async ({ fail, store }) => {
      const { id, version } = await fail('b.txt', 'text', { reason: '' })
      await store.files.dropStale(id, [version])
    },
    [/b\.txt failed without a reason/],
  ],
  [
    'chunks of a version that is not shown',
    async ({ fail, store }) => {
      const { id, version } = await fail('a.txt', 'other', { given: 1 })
      await store.files.dropStale(id, [version])
    },
    [/a\.txt has left a\.txt_chunk_0 of fver_/],
  ],
  [
    'a chunk that is missing, and its point',
    ({ store, file }) => store.chunks.remove([{ version: file.version, itemId: 'a.txt_chunk_1' }]),
    [/a\.txt shows what is not there: a\.txt_chunk_1$/, /an orphan point a\.txt_chunk_1@fver_\d+#0/],
  ],
  [
    'more chunks than are shown',
    async ({ read }) => (await read('b.txt', 'text', { given: 2, chunks: 1 })).end(),
    [/b\.txt has b\.txt_chunk_1, and shows 1 chunks and 1 summaries/],
  ],
  [
    'fewer chunks than are shown',
    async ({ read }) => (await read('b.txt', 'text', { given: 1, chunks: 9 })).end(),
    [/b\.txt shows what is not there: b\.txt_chunk_1, .* and 3 more/],
  ],
  [
    'chunks of a file that is gone',
    async ({ store, deleteFileInput, files, keyOf }) => {
      await store.deleteFile(deleteFileInput('a.txt'))
      await files.remove([keyOf('a.txt')])
    },
    [/4 chunks of file_\d+, which is gone/],
  ],
  [
    'a point of no version',
    ({ pointOf }) => pointOf('fver_0', 'a.txt_chunk_0'),
    [/an orphan point a\.txt_chunk_0@fver_0#0/],
  ],
  [
    'a point of no passage',
    ({ pointOf, file }) => pointOf(file.version, 'a.txt_chunk_0', 1),
    [/an orphan point a\.txt_chunk_0@\w+#1/],
  ],
  [
    'a point that is missing',
    ({ vectors, namespaceId, file }) =>
      vectors.removeVersions(space, [{ namespaceId, itemId: 'a.txt_chunk_2', version: file.version }]),
    [/a\.txt_chunk_2 has no points 0/],
  ],
]

it('finds nothing where all is as it should be, points of documents included', async () => {
  const { broken, pointOf } = await setUp()
  await pointOf('up_1', 'document')
  expect(await broken()).toEqual([])
})

it.each(planted)('finds %s', async (_, plant, said) => {
  const scene = await setUp()
  await plant(scene)
  const broken = await scene.broken()
  expect(broken).toEqual(said.map((one) => expect.stringMatching(one)))
  for (const one of broken) expect(one).toMatch(/^I8: /)
})

it('does not ask for an object of a file that failed because it has none', async () => {
  const { broken, fail, store, files, keyOf } = await setUp()
  const { id, version } = await fail('b.txt', 'text', { reason: 'object_missing' })
  await store.files.dropStale(id, [version])
  await files.remove([keyOf('b.txt')])
  expect(await broken()).toEqual([])
})
