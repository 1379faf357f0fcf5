import { join } from 'node:path'
import type { Point } from '@cairn/domain/ports/vector-index'
import { forFile } from '@cairn/testing/for-file'
import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { sqliteVectorIndex } from '../sqlite.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const space = { key: 'words', dimension: 1 }
const points = 3_000

/** A point with the words 0 to 9, of which every second point has word 0 and few have word 9. */
const pointOf = (random: ReturnType<typeof seededRandom>, number: number): Point => {
  const ids = Array.from({ length: 10 }, (_, word) => word).filter((word) => random.below(2 ** (word + 1)) === 0)
  return {
    namespaceId: 'ns',
    itemId: `i${number}`,
    version: 'v',
    passage: 0,
    vector: Float32Array.of(1),
    terms: [],
    words: [],
    lexemes: {
      ids: Uint32Array.from([...ids, 100 + number]),
      counts: Uint8Array.from([...ids.map(() => 1 + random.below(4)), 1 + random.below(40)]),
    },
  }
}

it('finds the same points by words whether the lists of frequent words are in memory or were dropped by a write', async () => {
  const index = vectorsOfFile()
  const random = seededRandom(1)
  await index.upsert(
    space,
    Array.from({ length: points }, (_, number) => pointOf(random, number)),
  )
  for (const [words, limit] of [
    [[0, 1, 9], 5],
    [[0, 8, 9], 20],
    [[0, 1, 2, 3], 10],
    [[0], 10],
    [[7, 8, 9, 150], 1],
  ] as const) {
    const find = async () => {
      const hits = await index.searchWords(space, { namespaceIds: ['ns'], lexemes: Uint32Array.from(words), limit })
      return hits.map(({ itemId, bm25, matched }) => ({ itemId, bm25, matched }))
    }
    const whileInMemory = [await find(), await find()]
    await index.upsert(space, [{ ...pointOf(random, points), namespaceId: 'other' }])
    const afterWrite = await find()
    expect(whileInMemory[1]).toEqual(whileInMemory[0])
    expect(new Set(afterWrite.map(({ bm25 }) => bm25))).toEqual(new Set(whileInMemory[0]!.map(({ bm25 }) => bm25)))
    expect(afterWrite).toHaveLength(whileInMemory[0]!.length)
    if (words.length > 1) expect(afterWrite).toEqual(whileInMemory[0])
  }
})

it('finds points among thousands with one score, all of them in the end', async () => {
  const index = vectorsOfFile()
  const equal = { key: 'equal', dimension: 1 }
  const lexemes = { ids: Uint32Array.of(1), counts: Uint8Array.of(1) }
  await index.upsert(
    equal,
    Array.from({ length: points }, (_, number) => ({ ...pointOf(seededRandom(1), number), lexemes })),
  )
  const found = new Set<string>()
  for (let rounds = 0; rounds < 10; rounds += 1) {
    const except = [...found].map((itemId) => ({ namespaceId: 'ns', itemId, version: 'v' }))
    const query = { namespaceIds: ['ns'], lexemes: Uint32Array.of(1), limit: 400, except }
    for (const { itemId, matched } of await index.searchWords(equal, query)) if (matched === 1) found.add(itemId)
  }
  expect(found.size).toBe(points)
})
