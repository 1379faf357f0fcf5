import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { dot, writeUnit } from '../vector-math.ts'
import {
  type BitCodes,
  clearCode,
  codesBytes,
  createBitCodes,
  encodeQuery,
  estimateCosines,
  filledSlots,
  nearestSlots,
  scanDistances,
  setCode,
} from './bit-codes.ts'

const random = seededRandom(3)
const unitVector = (dimension: number) => {
  const vector = Float32Array.from({ length: dimension }, () => random.next() + random.next() + random.next() - 1.5)
  writeUnit(vector, vector)
  return vector
}

const setUp = (dimension: number, count: number) => {
  const mean = Float32Array.from({ length: dimension }, () => (random.next() - 0.5) / 10)
  const vectors = Array.from({ length: count }, () => unitVector(dimension))
  const codes = createBitCodes(mean, count)
  vectors.forEach((vector, slot) => {
    setCode(codes, slot, vector)
  })
  return { mean, vectors, codes }
}

const distancesOf = (codes: BitCodes, query: Float32Array) => {
  const distances = new Uint16Array(codes.slots)
  const code = encodeQuery(codes, query)
  const middle = Math.floor(codes.slots / 2)
  scanDistances(codes, code, 0, middle, distances)
  scanDistances(codes, code, middle, codes.slots, distances)
  return distances
}

describe('bit codes', () => {
  it.each([1, 31, 32, 33, 128, 200])(
    'count the dimensions on which two of %i lie on different sides of the mean',
    (dimension) => {
      const { mean, vectors, codes } = setUp(dimension, 30)
      const query = unitVector(dimension)
      const distances = distancesOf(codes, query)
      const expected = vectors.map(
        (vector) => vector.filter((value, i) => value > mean[i]! !== query[i]! > mean[i]!).length,
      )
      expect([...distances]).toEqual(expected)
    },
  )

  it.each([128, 384, 500])('estimate the cosine to within the error they state at %i dimensions', (dimension) => {
    const { vectors, codes } = setUp(dimension, 400)
    const query = unitVector(dimension)
    const code = encodeQuery(codes, query)
    const slots = Uint32Array.from(vectors.keys())
    const estimates = new Float32Array(slots.length)
    estimateCosines(codes, code, slots, estimates)
    const errors = vectors.map(
      (vector, slot) => (estimates[slot]! - dot(vector, query)) / (0.6 * codes.scale[slot]! * code.length),
    )
    const bias = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length)
    expect(Math.abs(bias)).toBeLessThan(0.2)
    expect(deviation).toBeGreaterThan(0.6)
    expect(deviation).toBeLessThan(1.3)
  })

  it('estimate exactly where a vector is the mean', () => {
    const mean = unitVector(64)
    const codes = createBitCodes(mean, 1)
    setCode(codes, 0, mean)
    const query = unitVector(64)
    const estimates = new Float32Array(1)
    estimateCosines(codes, encodeQuery(codes, query), Uint32Array.of(0), estimates)
    expect(estimates[0]).toBeCloseTo(dot(mean, query), 5)
  })

  it('leave out slots that were emptied or never filled, and grow by themselves', () => {
    const { codes } = setUp(40, 5)
    clearCode(codes, 2)
    setCode(codes, 9, unitVector(40))
    clearCode(codes, 100)
    const distances = distancesOf(codes, unitVector(40))
    expect(codes.slots).toBe(10)
    expect([...filledSlots(codes, codes.slots, undefined)]).toEqual([0, 1, 3, 4, 9])
    expect([...filledSlots(codes, 3, Uint32Array.of(9, 2, 7))]).toEqual([9])
    expect([...nearestSlots(codes, distances, 10, undefined)]).toEqual([0, 1, 3, 4, 9])
  })

  it('give the nearest slots, with all that tie with the last of them', () => {
    const { codes } = setUp(64, 6)
    const distances = Uint16Array.of(5, 1, 3, 3, 9, 3)
    expect([...nearestSlots(codes, distances, 2, undefined)]).toEqual([1, 2, 3, 5])
    expect([...nearestSlots(codes, distances, 2, Uint32Array.of(0, 4, 5))]).toEqual([0, 5])
    expect([...nearestSlots(codes, distances, 100, undefined)]).toEqual([0, 1, 2, 3, 4, 5])
    clearCode(codes, 1)
    expect([...nearestSlots(codes, distances, 1, undefined)]).toEqual([2, 3, 5])
  })

  it('take 56 bytes a vector at 384 dimensions', () => {
    expect(codesBytes(384, 100_000)).toBe(5_600_000)
  })
})
