import { limits } from '@cairn/contracts/limits'
import { expect, it } from 'vitest'
import {
  charactersPerByte,
  chunkLimit,
  chunksPerMillion,
  freeCharacters,
  freeChunks,
  maxCharacters,
  maxChunks,
  textLimit,
} from './text-limit.ts'

it.each([
  ['a small file has the minimum', 1, freeCharacters],
  ['a file whose share equals the minimum has the minimum', freeCharacters / charactersPerByte, freeCharacters],
  [
    'a larger one has a multiple of its bytes',
    freeCharacters / charactersPerByte + 1,
    freeCharacters + charactersPerByte,
  ],
  ['the largest file has the maximum', limits.fileBytes, maxCharacters],
])('%s', (_, sizeBytes, expected) => {
  expect(textLimit(sizeBytes)).toBe(expected)
})

it('allows the largest plain text file more than its text', () => {
  expect(textLimit(limits.fileBytes)).toBeGreaterThan(3 * limits.fileBytes)
})

/** Distinct text whose share of chunks is the number of chunks that any file may have. */
const edge = (freeChunks * 1_000_000) / chunksPerMillion

it.each([
  ['a file of little text has the minimum', 1, freeChunks],
  ['a file whose share equals the minimum has the minimum', edge, freeChunks],
  ['above the edge, the limit grows with the distinct text', 2 * edge, 2 * freeChunks],
  ['below the most there is, it still grows', (maxChunks - 30) / 0.03, maxChunks - 30],
  ['no file has more than the most there is', maxCharacters, maxChunks],
])('%s', (_, distinct, expected) => {
  expect(Math.round(chunkLimit(distinct))).toBe(expected)
})

it.each([
  ['running text in Latin script', 1_500],
  ['Chinese and Japanese', 4_500],
  ['the entries of a dictionary', 13_200],
  ['pages of a single line', 26_000],
])('allows %s all its chunks, however long it is', (_, perMillion) => {
  for (const millions of [0.1, 1, 10, 100])
    expect(chunkLimit(millions * 1_000_000)).toBeGreaterThan(perMillion * millions)
})
