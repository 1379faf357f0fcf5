import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { hammingOf } from './hamming.ts'

const random = seededRandom(17)
const someBits = (length: number) => Int32Array.from({ length }, () => random.below(2 ** 32))
const countBits = (value: number) => (value >>> 0).toString(2).replaceAll('0', '').length

describe('hammingOf', () => {
  // The last needs several blocks; 128 words are 4,096 dimensions.
  it.each([
    [2, 100],
    [4, 33],
    [12, 1_000],
    [16, 65],
    [128, 300],
    [128, 1_100],
  ])('counts the bits in which codes of %i words differ from a query, for %i codes', (words, count) => {
    const bits = someBits(words * count)
    const query = someBits(words)
    const distances = new Uint16Array(count)
    hammingOf(words).scan(bits, query, 0, count, distances)
    const expected = Array.from({ length: count }, (_, code) => {
      return query.reduce((sum, word, i) => sum + countBits(word ^ bits[code * words + i]!), 0)
    })
    expect([...distances]).toEqual(expected)
  })

  it('counts nothing and everything', () => {
    const distances = new Uint16Array(2)
    hammingOf(128).scan(new Int32Array(256).fill(-1, 128), new Int32Array(128), 0, 2, distances)
    expect([...distances]).toEqual([0, 4_096])
  })

  it('leaves what lies outside the range', () => {
    const distances = new Uint16Array(4).fill(9)
    hammingOf(2).scan(new Int32Array(8), new Int32Array(2), 1, 3, distances)
    expect([...distances]).toEqual([9, 0, 0, 9])
    hammingOf(2).scan(new Int32Array(8), new Int32Array(2), 2, 2, distances)
    expect([...distances]).toEqual([9, 0, 0, 9])
  })
})
