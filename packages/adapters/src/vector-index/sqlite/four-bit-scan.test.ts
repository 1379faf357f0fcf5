import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { placeOfFourBits, scanFourBits } from './four-bit-scan.ts'

const random = seededRandom(23)

const encode = (numbers: readonly number[], words: number): Int32Array => {
  const bytes = new Uint8Array(words * 4)
  for (const [i, number] of numbers.entries()) {
    const { byte, shift } = placeOfFourBits(i)
    bytes[byte]! |= number << shift
  }
  return new Int32Array(bytes.buffer)
}

const codesOf = (all: readonly (readonly number[])[], words: number) =>
  Int32Array.from(all.flatMap((numbers) => [...encode(numbers, words)]))

describe('scanFourBits', () => {
  // The last case needs several blocks; 512 words are 4,096 dimensions.
  it.each([
    [4, 50],
    [8, 7],
    [48, 200],
    [512, 10],
    [512, 150],
  ])('multiplies codes of %i words with a query, for %i codes', (words, count) => {
    const length = words * 8
    const all = Array.from({ length: count }, () => Array.from({ length }, () => random.below(16)))
    const query = Int16Array.from({ length }, () => random.below(2_000) - 1_000)
    const slots = Uint32Array.from({ length: count }, () => random.below(count))
    const products = new Int32Array(count)
    scanFourBits(codesOf(all, words), query, { words, slots }, products)
    const expected = [...slots].map((slot) => all[slot]!.reduce((sum, number, i) => sum + number * query[i]!, 0))
    expect([...products]).toEqual(expected)
  })

  it('does not overflow with the largest numbers of 4,096 dimensions', () => {
    const products = new Int32Array(2)
    const codes = new Int32Array(1_024).fill(-1)
    const slots = Uint32Array.of(0, 1)
    for (const largest of [16_383, -16_383]) {
      scanFourBits(codes, new Int16Array(4_096).fill(largest), { words: 512, slots }, products)
      expect([...products]).toEqual([15 * 4_096 * largest, 15 * 4_096 * largest])
    }
  })

  it('compares nothing without slots', () => {
    expect(() =>
      scanFourBits(new Int32Array(8), new Int16Array(32), { words: 4, slots: new Uint32Array() }, new Int32Array()),
    ).not.toThrow()
  })
})
