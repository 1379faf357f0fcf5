import { mulberry32 } from '@cairn/contracts/mulberry32'

/**
 * Afterwards no dimension matters more than another, whatever the data, so that the error of a code is like noise, as
 * the random orthogonal matrix of RaBitQ makes it. Four times, random numbers change their sign, and Hadamard
 * transforms are applied to overlapping parts whose length is a power of two. Lengths and angles stay the same.
 */
export type Rotation = (vector: Float32Array) => void

const rounds = 4

/** The seed is fixed, so that all processes and runs create the same codes. */
const createFlips = (length: number): Float32Array => {
  const next = mulberry32(0x9e3779b9)
  return Float32Array.from({ length }, () => (next() < 0 ? -1 : 1))
}

/** Works in place, without the factor 1 / √length. */
const transform = (vector: Float32Array, from: number, length: number): void => {
  for (let half = 1; half < length; half *= 2) {
    for (let start = from; start < from + length; start += half * 2) {
      for (let i = start; i < start + half; i++) {
        const a = vector[i]!
        const b = vector[i + half]!
        vector[i] = a + b
        vector[i + half] = a - b
      }
    }
  }
}

export const createRotation = (dimension: number): Rotation => {
  const flips = createFlips(dimension * rounds)
  const length = 2 ** Math.floor(Math.log2(dimension))
  const factor = 1 / Math.sqrt(length)
  return (vector) => {
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < dimension; i++) vector[i] = vector[i]! * flips[round * dimension + i]!
      const from = round % 2 === 0 ? 0 : dimension - length
      transform(vector, from, length)
      for (let i = from; i < from + length; i++) vector[i] = vector[i]! * factor
    }
  }
}
