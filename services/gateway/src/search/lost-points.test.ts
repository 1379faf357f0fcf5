import { join } from 'node:path'
import { createScene, documents } from '@cairn/ports/metadata/contract/scene'
import { sqliteVectorIndex } from '@cairn/ports/vector-index/sqlite'
import { forFile } from '@cairn/testing/for-file'
import { stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { expect, it } from 'vitest'
import { hasLostPoints } from './lost-points.ts'

const space = { key: 'lexical-words-256', dimension: 2 }
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const setUp = async () => {
  const vectors = vectorsOfFile()
  const metadata = stepwiseMetadata({ now: () => 0 })
  const scene = await createScene(metadata)
  const { namespaceId } = scene
  const write = (itemId: string, version: string) =>
    vectors.upsert(space, [{ namespaceId, itemId, version, passage: 0, terms: [], words: [], vector: Float32Array.of(1, 0) }])
  const ask = (over = vectors) => hasLostPoints({ metadata, vectors: over }, space, { id: namespaceId, itemCount: 1 })
  return { ...scene, vectors, write, ask }
}

it('is so when an item is indexed and the index has nothing', async () => {
  const { indexed, ask } = await setUp()
  await indexed(documents(['a']))
  expect(await ask()).toBe(true)
})

it('is not so when the index has a point', async () => {
  const { indexed, write, ask } = await setUp()
  await write('a', await indexed(documents(['a'])))
  expect(await ask()).toBe(false)
})

it('is not so when nothing is indexed yet', async () => {
  const { accepted, ask } = await setUp()
  await accepted(documents(['a']))
  expect(await ask()).toBe(false)
})

it('is not so when the item was deleted meanwhile', async () => {
  const { indexed, ask, vectors, metadata, deleteInput } = await setUp()
  await indexed(documents(['a']))
  const count = async () => {
    await metadata.deleteItems(deleteInput(['a']))
    return 0
  }
  expect(await ask({ ...vectors, count })).toBe(false)
})
