import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { dot, writeUnit } from '../vector-math.ts'
import {
  type Codes,
  clearCodes,
  codesBytes,
  createCodes,
  encodeQuery,
  estimateByFourBits,
  estimateByOneBit,
  setCodes,
} from './codes.ts'

const random = seededRandom(3)
const unitVector = (dimension: number) => {
  const vector = Float32Array.from({ length: dimension }, () => random.next() + random.next() + random.next() - 1.5)
  writeUnit(vector, vector)
  return vector
}
/** Returns a vector in which all but two numbers are zero. */
const flatVector = (dimension: number) => {
  const vector = new Float32Array(dimension)
  const angle = random.next() * 2 * Math.PI
  vector[3] = Math.cos(angle)
  vector[dimension - 1] = Math.sin(angle)
  return vector
}

const setUp = (dimension: number, count: number, make = unitVector) => {
  const vectors = Array.from({ length: count }, () => make(dimension))
  const mean = Float32Array.from({ length: dimension }, (_, i) =>
    vectors.reduce((sum, one) => sum + one[i]! / count, 0),
  )
  const codes = createCodes(mean, count, true)
  vectors.forEach((vector, slot) => {
    setCodes(codes, slot, vector)
  })
  return { mean, vectors, codes }
}

const estimatesOf = (codes: Codes, query: Float32Array) => {
  const code = encodeQuery(codes, query)
  const [oneBit, fourBit] = [new Float32Array(codes.slots), new Float32Array(codes.slots)]
  const middle = Math.floor(codes.slots / 2)
  estimateByOneBit(codes, code, { from: 0, to: middle }, oneBit)
  estimateByOneBit(codes, code, { from: middle, to: codes.slots }, oneBit)
  estimateByFourBits(codes, code, Uint32Array.from(oneBit.keys()), fourBit)
  return [
    { estimates: oneBit, error: code.oneBitError, scale: codes.oneBit.scale },
    { estimates: fourBit, error: code.fourBitError, scale: codes.fourBit!.scale },
  ]
}

describe('codes', () => {
  it.each([
    ['any', 128, unitVector],
    ['any', 384, unitVector],
    ['any', 500, unitVector],
    ['flat', 128, flatVector],
    ['flat', 384, flatVector],
  ] as const)(
    'estimate cosines of %s vectors to within the error they state at %i dimensions',
    (_, dimension, make) => {
      const { vectors, codes } = setUp(dimension, 400, make)
      const query = make(dimension)
      for (const { estimates, error, scale } of estimatesOf(codes, query)) {
        const errors = vectors.map((vector, slot) => (estimates[slot]! - dot(vector, query)) / (error * scale[slot]!))
        const bias = errors.reduce((sum, one) => sum + one, 0) / errors.length
        const deviation = Math.sqrt(errors.reduce((sum, one) => sum + one * one, 0) / errors.length)
        expect(Math.abs(bias)).toBeLessThan(0.3)
        expect(deviation).toBeGreaterThan(0.5)
        expect(deviation).toBeLessThan(1.4)
      }
    },
  )

  it('err a fifth as much by 4-bit codes as by 1-bit codes', () => {
    const { codes } = setUp(384, 100)
    const [oneBit, fourBit] = estimatesOf(codes, unitVector(384)).map(({ error, scale }) => error * scale[50]!)
    expect(fourBit! / oneBit!).toBeGreaterThan(0.1)
    expect(fourBit! / oneBit!).toBeLessThan(0.25)
  })

  it('estimate exactly where a vector is the mean', () => {
    const mean = unitVector(64)
    const codes = createCodes(mean, 1, true)
    setCodes(codes, 0, mean)
    const query = unitVector(64)
    for (const { estimates } of estimatesOf(codes, query)) expect(estimates[0]).toBeCloseTo(dot(mean, query), 5)
  })

  it('estimate exactly where the query is the mean', () => {
    const { mean, vectors, codes } = setUp(64, 3)
    for (const { estimates } of estimatesOf(codes, mean))
      for (const [slot, vector] of vectors.entries()) expect(estimates[slot]).toBeCloseTo(dot(mean, vector), 5)
  })

  it('leave out slots that were emptied or never filled, and grow by themselves', () => {
    const { codes } = setUp(40, 5)
    clearCodes(codes, 2)
    setCodes(codes, 9, unitVector(40))
    clearCodes(codes, 100)
    expect(codes.slots).toBe(10)
    const filled = [0, 1, 3, 4, 9]
    expect(
      Array.from({ length: codes.slots }, (_, slot) => slot).filter((slot) => codes.oneBit.scale[slot]! >= 0),
    ).toEqual(filled)
    const [oneBit] = estimatesOf(codes, unitVector(40))
    expect([...oneBit!.estimates.keys()].filter((slot) => oneBit!.estimates[slot]! > -2)).toEqual(filled)
  })

  it('take 252 bytes a vector at 384 dimensions, 56 without 4-bit codes', () => {
    expect(codesBytes(384, 100_000, true)).toBe(25_200_000)
    expect(codesBytes(384, 100_000, false)).toBe(5_600_000)
  })
})
