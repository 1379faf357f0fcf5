import { compareText } from '@cairn/domain/items/documents'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endsItem, orderBytes, orderNumbers, prefixBase, stepBytes, stepsOfPrefix } from './order.ts'

/** Parts of ids: ids share prefixes of any length, and have characters of one to four bytes. */
const parts = ['a', 'b', 'docs/', '0', '1', 'é', '猫', '\uffee', '😀', ' ']
const id = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 12 }).map((found) => found.join(''))

describe('order numbers', () => {
  it('are exact whole numbers, one for every four bytes of the id and its end', () => {
    fc.assert(
      fc.property(id, (itemId) => {
        const numbers = orderNumbers('ns', itemId)
        expect(numbers).toHaveLength(Math.floor(Buffer.byteLength(itemId) / 4) + 1)
        for (const number of numbers) expect(Number.isSafeInteger(number) && number >= 0).toBe(true)
      }),
    )
  })

  it('order two ids at the first four bytes in which they differ, as their UTF-8 bytes do', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [ofA, ofB] = [orderNumbers('ns', a), orderNumbers('ns', b)]
        const index = ofA.findIndex((number, level) => number !== ofB[level])
        if (a === b) expect(index).toBe(-1)
        else expect(Math.sign((ofA[index] ?? 0) - (ofB[index] ?? 0))).toBe(Math.sign(compareText(a, b)))
      }),
    )
  })

  it('lie in the range of their prefix', () => {
    fc.assert(
      fc.property(id, (itemId) => {
        const bytes = orderBytes(itemId)
        for (const [level, number] of orderNumbers('ns', itemId).entries()) {
          const step = number - prefixBase('ns', bytes.subarray(0, level * stepBytes))
          expect(step).toBe(bytes.readUInt32BE(level * stepBytes))
          expect(step).toBeLessThan(stepsOfPrefix)
          expect(endsItem(step)).toBe(level * stepBytes + stepBytes === bytes.length)
        }
      }),
    )
  })

  it('keep namespaces apart', () => {
    const ranges = Array.from({ length: 1_000 }, (_, i) => prefixBase(`ns_${i}`, Buffer.alloc(0)))
    expect(new Set(ranges).size).toBeGreaterThan(995)
  })
})
