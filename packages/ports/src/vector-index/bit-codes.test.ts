import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { clearCode, codesBytes, createBitCodes, encodeQuery, estimateCosines, nearestSlots, scanDistances, setCode } from './bit-codes.ts'
import { dot, writeUnit } from './vector-math.ts'

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

const distancesOf = (codes: ReturnType<typeof setUp>['codes'], query: Float32Array, within?: Uint32Array) => {
  const count = within?.length ?? codes.slots
  const distances = new Uint16Array(count)
  const histogram = new Uint32Array(codes.words * 32 + 1)
  const code = encodeQuery(codes, query)
  const middle = Math.floor(count / 2)
  scanDistances(codes, code, { from: 0, to: middle, within }, distances, histogram)
  scanDistances(codes, code, { from: middle, to: count, within }, distances, histogram)
  return { distances, histogram }
}

describe('bit codes', () => {
  it.each([1, 31, 32, 33, 128, 200])('count the dimensions on which two of %i lie on different sides of the mean', (dimension) => {
    const { mean, vectors, codes } = setUp(dimension, 30)
    const query = unitVector(dimension)
    const { distances, histogram } = distancesOf(codes, query)
    const expected = vectors.map((vector) => vector.filter((value, i) => value > mean[i]! !== query[i]! > mean[i]!).length)
    expect([...distances]).toEqual(expected)
    expect([...histogram.entries()].filter(([, count]) => count > 0).map(([distance]) => distance)).toEqual(
      [...new Set(expected)].sort((a, b) => a - b),
    )
  })

  it.each([128, 384, 500])('estimate the cosine to within the error they state at %i dimensions', (dimension) => {
    const { vectors, codes } = setUp(dimension, 400)
    const query = unitVector(dimension)
    const code = encodeQuery(codes, query)
    const slots = Uint32Array.from(vectors.keys())
    const estimates = new Float32Array(slots.length)
    estimateCosines(codes, code, slots, estimates)
    const errors = vectors.map((vector, slot) => (estimates[slot]! - dot(vector, query)) / (0.6 * codes.scale[slot]! * code.length))
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
    const { distances, histogram } = distancesOf(codes, unitVector(40))
    expect(codes.slots).toBe(10)
    expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect([...nearestSlots(distances, histogram, 10, undefined)]).toEqual([0, 1, 3, 4, 9])
  })

  it('give the nearest slots, with all that tie with the last of them', () => {
    const distances = Uint16Array.of(5, 1, 3, 3, 9, 3)
    const histogram = new Uint32Array(33)
    for (const distance of distances) histogram[distance]!++
    expect([...nearestSlots(distances, histogram, 2, undefined)]).toEqual([1, 2, 3, 5])
    expect([...nearestSlots(distances, histogram, 2, Uint32Array.of(10, 11, 12, 13, 14, 15))]).toEqual([11, 12, 13, 15])
    expect([...nearestSlots(distances, histogram, 100, undefined)]).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('compare only the given slots', () => {
    const { codes } = setUp(64, 50)
    const query = unitVector(64)
    const all = distancesOf(codes, query).distances
    const some = Uint32Array.of(3, 17, 49)
    expect([...distancesOf(codes, query, some).distances]).toEqual([...some].map((slot) => all[slot]))
  })

  it('take 56 bytes a vector at 384 dimensions', () => {
    expect(codesBytes(384, 100_000)).toBe(5_600_000)
  })
})
