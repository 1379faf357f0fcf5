import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { queryBits, scanOneBit } from './one-bit-scan.ts'

const random = seededRandom(17)
const someBits = (length: number) => Int32Array.from({ length }, () => random.below(2 ** 32))
const isSet = (bits: Int32Array, from: number, i: number) => (bits[from + (i >> 5)]! >>> (i & 31)) & 1

type Range = { readonly words: number; readonly from: number; readonly to: number }

const scan = (bits: Int32Array, planes: Int32Array, range: Range) => {
  const found = new Map<number, number>()
  scanOneBit(bits, planes, range, (results, index) => {
    for (const [i, result] of results.entries()) found.set(index + i, result)
  })
  return found
}

const expected = (bits: Int32Array, planes: Int32Array, { words, from, to }: Range) =>
  new Map(
    Array.from({ length: to - from }, (_, i) => {
      let sum = 0
      for (let bit = 0; bit < words * 32; bit++) {
        if (!isSet(bits, (from + i) * words, bit)) continue
        for (let plane = 0; plane < queryBits; plane++) sum += 2 * 2 ** plane * isSet(planes, plane * words, bit)
        sum -= 15
      }
      return [from + i, sum]
    }),
  )

describe('scanOneBit', () => {
  // The last case needs several blocks; 128 words are 4,096 dimensions.
  it.each([
    [2, 100],
    [4, 33],
    [12, 300],
    [128, 20],
    [128, 530],
  ])('sums the numbers of a query over the bits of codes of %i words, for %i codes', (words, count) => {
    const [bits, planes] = [someBits(words * count), someBits(words * queryBits)]
    const range = { words, from: 0, to: count }
    expect(scan(bits, planes, range)).toEqual(expected(bits, planes, range))
  })

  it('compares only the codes of the range, and none of an empty range', () => {
    const [bits, planes] = [someBits(8), someBits(2 * queryBits)]
    const range = { words: 2, from: 1, to: 3 }
    expect(scan(bits, planes, range)).toEqual(expected(bits, planes, range))
    expect(scan(bits, planes, { words: 2, from: 2, to: 2 })).toEqual(new Map())
  })

  it.each([12, 128])('compares the codes of %i words at any slots', (words) => {
    const [bits, planes] = [someBits(words * 700), someBits(words * queryBits)]
    const slots = Uint32Array.from({ length: 600 }, () => random.below(700))
    const all = expected(bits, planes, { words, from: 0, to: 700 })
    const found: number[] = []
    scanOneBit(bits, planes, { words, slots, from: 0, to: slots.length }, (results, index) => {
      for (const [i, result] of results.entries()) found[index + i] = result
    })
    expect(found).toEqual([...slots].map((slot) => all.get(slot)))
  })

  it('reaches the largest and the smallest sum', () => {
    const bits = new Int32Array(128).fill(-1)
    const range = { words: 128, from: 0, to: 1 }
    expect(scan(bits, new Int32Array(128 * queryBits).fill(-1), range)).toEqual(new Map([[0, 15 * 4_096]]))
    expect(scan(bits, new Int32Array(128 * queryBits), range)).toEqual(new Map([[0, -15 * 4_096]]))
  })
})
