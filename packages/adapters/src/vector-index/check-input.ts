import { AppError } from '@cairn/contracts/errors'
import type { EmbeddingSpace, Point } from '@cairn/domain/ports/vector-index'
import { writeUnit } from './vector-math.ts'

const largestLimit = 4_096

/** Some engines truncate at U+0000, and lone surrogates have no UTF-8 form: two such ids could collide. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Vectors of length 1, concatenated. AppError `invalid` if a point can't be stored. */
export const toUnits = ({ key, dimension }: EmbeddingSpace, points: readonly Point[]): Float32Array => {
  const vectors = new Float32Array(points.length * dimension)
  for (const [position, { vector, namespaceId, itemId, version, passage }] of points.entries()) {
    const where = `Point ${passage} of item ${JSON.stringify(itemId)}`
    if (vector.length !== dimension) {
      throw new AppError(
        'invalid',
        `${where}: the vector's dimension is ${vector.length}, and space ${key} has ${dimension}`,
      )
    }
    if (!writeUnit(vector, vectors.subarray(position * dimension, (position + 1) * dimension))) {
      throw new AppError('invalid', `${where}: a vector must be finite numbers that are not all zero`)
    }
    if (![namespaceId, itemId, version].every(isStorable))
      throw new AppError('invalid', `${where}: ids must be text without U+0000`)
    if (!Number.isSafeInteger(passage) || passage < 0)
      throw new AppError('invalid', `${where}: passages are counted from 0`)
  }
  return vectors
}

export const checkDimension = ({ key, dimension }: EmbeddingSpace, stored: unknown): void => {
  if (stored !== dimension)
    throw new AppError('invalid', `Embedding space ${key} has vectors of dimension ${stored}, not ${dimension}`)
}

export const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > largestLimit)
    throw new AppError('invalid', `The limit of a search is 1 to ${largestLimit}`)
}

/** Returns a vector of length 1. AppError `invalid` for an invalid vector or limit. */
export const toUnitQuery = (space: EmbeddingSpace, vector: Float32Array, limit: number): Float32Array => {
  const unit = new Float32Array(vector.length)
  if (vector.length !== space.dimension || !writeUnit(vector, unit)) {
    throw new AppError(
      'invalid',
      `A query of space ${space.key} is ${space.dimension} finite numbers that are not all zero`,
    )
  }
  checkLimit(limit)
  return unit
}
