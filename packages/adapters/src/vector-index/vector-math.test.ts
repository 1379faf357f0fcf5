import { describe, expect, it } from 'vitest'
import { dot, writeUnit } from './vector-math.ts'

describe('dot', () => {
  it.each([0, 1, 3, 4, 5, 8, 11])('adds the products of %i numbers', (length) => {
    const a = Float32Array.from({ length }, (_, i) => i + 1)
    const b = Float32Array.from({ length }, (_, i) => 2 * i - 3)
    const expected = a.reduce((sum, value, i) => sum + value * b[i]!, 0)
    expect(dot(a, b)).toBe(expected)
    expect(dot(a, Float32Array.of(7, 7, 7, ...b, 9), 3)).toBe(expected)
  })
})

describe('writeUnit', () => {
  it.each([[[3, 4]], [[-1e-45, 0]], [[3e38, -3e38, 3e38]]])('makes %j of length one', (values) => {
    const into = new Float32Array(values.length)
    expect(writeUnit(Float32Array.from(values), into)).toBe(true)
    expect(Math.sqrt(dot(into, into))).toBeCloseTo(1, 6)
    expect(Math.sign(into[0]!)).toBe(Math.sign(values[0]!))
  })

  it('gives vectors that differ by a factor the same direction', () => {
    const [one, four] = [new Float32Array(2), new Float32Array(2)]
    writeUnit(Float32Array.of(1, 3), one)
    writeUnit(Float32Array.of(4, 12), four)
    expect(one).toEqual(four)
  })

  it.each([[[]], [[0, -0]], [[1, Number.NaN]], [[Number.POSITIVE_INFINITY, 1]], [[Number.NEGATIVE_INFINITY]]])(
    'refuses %j',
    (values) => {
      expect(writeUnit(Float32Array.from(values), new Float32Array(values.length))).toBe(false)
    },
  )
})
