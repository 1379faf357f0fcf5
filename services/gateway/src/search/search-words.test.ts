import { join } from 'node:path'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import type { Lexemes, VectorIndex } from '@cairn/domain/ports/vector-index'
import { lexemesOf, queryRules } from '@cairn/domain/text/lexemes'
import { lexemesVersion } from '@cairn/domain/text/lexemes-version'
import { forFile } from '@cairn/testing/for-file'
import { expect, it } from 'vitest'
import { readableId } from '../gate.fixture.ts'
import { searchWords } from './search-words.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

// Invented rules of an earlier version: words between blanks, by their length and first character.
const earlier = lexemesVersion - 1
const earlierRules = (text: string) => text.split(' ').map((word) => word.length * 65_536 + word.charCodeAt(0))
const earlierLexemesOf = (text: string) => Uint32Array.from(new Set(earlierRules(text))).sort()
queryRules.set(earlier, earlierRules)

it('finds points of both versions of lexemes, each by all words of a query', async () => {
  const vectors = vectorsOfFile()
  const space = { key: 'words', dimension: 1 }
  const text = 'The DiffExecutor costs 1,234.50'
  const former = earlierLexemesOf(text)
  const point = { namespaceId: 'ns', version: 'v', passage: 0, vector: Float32Array.of(1), terms: [], words: [] }
  await vectors.upsert(space, [
    { ...point, itemId: 'renewed', lexemes: lexemesOf(text) },
    { ...point, itemId: 'former', lexemes: { ids: former, counts: new Uint8Array(former.length).fill(1) } },
  ])
  const find = (lexemes: number) =>
    searchWords(
      vectors,
      space,
      { namespaceIds: [readableId('ns')], limit: 10 },
      { text, language: 'en', lexemes },
      { owner: 'a', signal: new AbortController().signal },
    )
  const both = await find(earlier)
  expect(both.map(({ itemId, matched }) => [itemId, matched]).sort()).toEqual([
    ['former', 1],
    ['renewed', 1],
  ])
  const [renewed, ...others] = (await find(lexemesVersion)).sort((a, b) => b.matched - a.matched)
  expect(renewed).toMatchObject({ itemId: 'renewed', matched: 1 })
  expect(others).toEqual([])
})

it('finds a point that is renewed during the search', async () => {
  const vectors = vectorsOfFile()
  const space = { key: 'renewed', dimension: 1 }
  const text = 'It costs 1,234.50'
  const former = earlierLexemesOf(text)
  const point = { namespaceId: 'ns', itemId: 'i', version: 'v', passage: 0, vector: Float32Array.of(1) }
  const write = (lexemes: Lexemes) => vectors.upsert(space, [{ ...point, terms: [], words: [], lexemes }])
  await write({ ids: former, counts: new Uint8Array(former.length).fill(1) })
  let isFirst = true
  const renewing: Pick<VectorIndex, 'searchWords'> = {
    searchWords: async (...query) => {
      const isEarlier = isFirst
      isFirst = false
      // The query of the earlier version is slow: the points are renewed before it is answered.
      const { lexemes } = query[1]
      const wasFound = await vectors.searchWords(...query)
      if (!isEarlier) return wasFound
      await write(lexemesOf(text))
      return vectors.searchWords(space, { ...query[1], lexemes })
    },
  }
  const found = await searchWords(
    renewing,
    space,
    { namespaceIds: [readableId('ns')], limit: 10 },
    { text: '1,234.50', language: 'en', lexemes: earlier },
    { owner: 'a', signal: new AbortController().signal },
  )
  expect(found).toHaveLength(1)
  expect(found[0]?.matched).toBe(1)
})
