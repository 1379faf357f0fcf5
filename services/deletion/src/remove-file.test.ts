import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { Deletion } from '@cairn/domain/items/record'
import { mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { memoryFiles } from '@cairn/testing/memory-files'
import { plainRun } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { removeFile } from './remove-file.ts'

const name = 'a.txt'

/** Creates a deleted file whose job has not run yet. */
const setUp = async () => {
  const store = stepwiseStore({ now: () => 0 })
  const vectors = sqliteVectorIndex({ file: temporaryFile() })
  onTestFinished(() => vectors.close())
  const files = memoryFiles(() => wallAt)
  const scene = await createFileScene(store)
  const { accountId, namespaceId, name: namespaceName } = scene
  const key = objectKey(files, { id: namespaceId, accountId, name: namespaceName }, name)
  const put = (content: string) => files.put(key, Buffer.from(content), { contentType: 'text/plain' })
  const bringAgain = async () => {
    const times = { expiresAt: wallAt, createdAt: wallAt }
    const asked = { contentType: 'text/plain', uploadId: null, correlationId: 'request-4', traceparent: null }
    await store.grants.open({ namespaceId, accountId, name, key, ...asked, ...times })
    await put('brought again')
  }
  await scene.published(name, 2)
  const result = await store.deleteFile({ ...scene.deleteFileInput(name), namespaceName, key })
  if (result.outcome !== 'deleted') throw new Error(result.outcome)
  const clock = { now: () => wallAt, monotonic: () => 0, delay: async () => undefined }
  const work = async (head = files.head) => {
    const job = (await store.deletions.lease(result.deletion.id, mint('lease'))) as Deletion
    await removeFile({ store, vectors, clock, files: { ...files, head } })(plainRun(job))
    return store.deletions.get(job.id)
  }
  const content = async () => (await files.head(key))?.sizeBytes
  return { ...scene, store, files, put, bringAgain, work, content }
}

it('removes the object and the chunks of a deleted file', async () => {
  const { put, work, content, store, namespaceId } = await setUp()
  await put('text')
  expect(await work()).toMatchObject({ state: 'completed', removed: { objects: 1, chunks: 2 } })
  expect(await content()).toBeUndefined()
  expect(await store.chunks.countOfNamespace(namespaceId)).toBe(0)
})

it('leaves what is brought again while it looks, whether there was an object before or not', async () => {
  for (const left of [undefined, 'of before']) {
    const { put, bringAgain, work, content, files } = await setUp()
    if (left !== undefined) await put(left)
    const state = await work(async (key) => {
      const found = await files.head(key)
      await bringAgain()
      return found
    })
    expect(state).toMatchObject({ state: 'completed', removed: { objects: 0 } })
    expect(await content()).toBe('brought again'.length)
  }
})
