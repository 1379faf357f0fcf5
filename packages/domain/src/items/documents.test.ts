import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { compareText } from './documents.ts'

describe('compareText', () => {
  it('orders as the bytes of UTF-8 do', () => {
    const random = seededRandom(7)
    const characters = ['a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}', '\u0001']
    const text = () => Array.from({ length: random.below(4) }, () => random.pick(characters)).join('')
    for (let i = 0; i < 2_000; i++) {
      const [a, b] = [text(), text()]
      expect(Math.sign(compareText(a, b)), JSON.stringify([a, b])).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }
  })
})
