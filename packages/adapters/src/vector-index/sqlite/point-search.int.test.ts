import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { filterTokens } from './filter-tokens.ts'
import type { WriteRequest } from './messages.ts'
import { PointSearch } from './point-search.ts'
import { PointReads } from './reads.ts'
import { openForReading, openForWriting } from './schema.ts'
import { createSliceTurns } from './time-slices.ts'
import { createVectorCache } from './vector-cache.ts'
import { PointWrites } from './writes.ts'

const space = { key: 'test', dimension: 2 }
const turns = createSliceTurns(5)
const newSlices = () => turns('account')
const wordTokens = (word: string) => filterTokens({ terms: [], words: [word] })

/** Creates an empty index. `search` calls `meanwhile` once, after the first read of vectors; `meanwhile` may write. */
const setUp = () => {
  const file = temporaryFile('vectors.db')
  const writing = openForWriting(file)
  const writes = new PointWrites(writing)
  const reading = openForReading(file)
  onTestFinished(() => {
    reading.close()
    writing.close()
  })
  const commit = (request: WriteRequest) => {
    writing.exec('BEGIN')
    writes.writeTokens(writes.write(request).tokens ?? [])
    writing.exec('COMMIT')
  }
  const put = (itemId: string, word: string, vector: readonly [number, number]) => {
    const points = { namespaceIds: ['ns'], itemIds: [itemId], versions: ['v'], passages: [0], tokens: wordTokens(word) }
    commit({ kind: 'upsert', space, points: { ...points, vectors: Float32Array.from(vector) } })
  }
  const remove = (itemId: string) =>
    commit({ kind: 'removeVersion', space, namespaceId: 'ns', itemId, version: 'v', fromPassage: 0 })
  const reads = new PointReads(reading)
  const search = async (limit: number, word: string | undefined, meanwhile: () => void) => {
    let isDone = false
    const onceThen = <A extends unknown[], R>(read: (...args: A) => R) => {
      return (...args: A): R => {
        const found = read(...args)
        if (!isDone) meanwhile()
        isDone = true
        return found
      }
    }
    reads.vectors = onceThen(reads.vectors.bind(reads))
    reads.vectorsFrom = onceThen(reads.vectorsFrom.bind(reads))
    const vectorCache = createVectorCache({ reads, memoryBytes: 1e6, newSlices })
    const request = { kind: 'search', space, namespaceIds: ['ns'], vector: Float32Array.of(1, 0), limit } as const
    const test = { tokens: word ? wordTokens(word) : [], fields: undefined }
    const found = new PointSearch(reads, vectorCache)
    const hits = await found.search({ ...request, owner: undefined, test, except: [] }, newSlices())
    return hits.map(({ itemId, score }) => `${itemId} ${score}`)
  }
  return { put, remove, search }
}

describe('a search during which points are written', () => {
  it('does not confuse a point with another one that got its slot', async () => {
    const { put, remove, search } = setUp()
    put('first', 'red', [1, 0])
    put('second', 'red', [0, 1])
    const hits = await search(2, 'red', () => {
      remove('first')
      put('third', 'blue', [1, 0])
    })
    expect(hits).toEqual(['second 0'])
  })

  it('returns a point that got the slot with its own address and score', async () => {
    const { put, remove, search } = setUp()
    put('first', 'red', [1, 0])
    const hits = await search(1, undefined, () => {
      remove('first')
      put('third', 'blue', [0, 1])
    })
    expect(['third 0', '']).toContain(hits.join())
  })

  it('returns the next best points in place of removed ones', async () => {
    const { put, remove, search } = setUp()
    for (let i = 0; i < 300; i++) put(`${i}`, 'red', [1, 0])
    const hits = await search(5, undefined, () => {
      for (let i = 0; i < 290; i++) remove(`${i}`)
    })
    expect(hits).toEqual(['290 1', '291 1', '292 1', '293 1', '294 1'])
  })
})
