import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { dot } from '../vector-math.ts'
import { createRotation } from './rotation.ts'

const random = seededRandom(29)
const vectorOf = (length: number) => Float32Array.from({ length }, () => random.next() - 0.5)

it.each([1, 2, 3, 64, 100, 128, 384, 1_000])('keeps lengths and products of %i numbers', (dimension) => {
  const rotate = createRotation(dimension)
  const [a, b] = [vectorOf(dimension), vectorOf(dimension)]
  const before = [dot(a, a), dot(a, b)]
  rotate(a)
  rotate(b)
  expect(dot(a, a)).toBeCloseTo(before[0]!, 4)
  expect(dot(a, b)).toBeCloseTo(before[1]!, 4)
})

it.each([128, 200, 384, 768])('spreads a single number over all of %i, and is the same each time', (dimension) => {
  for (const index of [0, 1, dimension - 1]) {
    const vector = new Float32Array(dimension)
    vector[index] = 1
    const again = vector.slice()
    createRotation(dimension)(vector)
    createRotation(dimension)(again)
    expect(vector).toEqual(again)
    expect(Math.max(...vector.map(Math.abs))).toBeLessThan(6 / Math.sqrt(dimension))
  }
})
