import { AppError } from '@cairn/contracts/errors'
import type { EmbeddingSpace, ItemVersion, Lexemes, PointAddress } from '@cairn/domain/ports/vector-index'
import { damageError } from '../../schema/sqlite.ts'
import type { PointTest } from './select-slots.ts'

/** By column: far cheaper to send to a thread than one object per point. */
export type PackedPoints = {
  readonly namespaceIds: readonly string[]
  readonly itemIds: readonly string[]
  readonly versions: readonly string[]
  readonly passages: readonly number[]
  /** For each point, the tokens of its terms, words and fields, separated by spaces. */
  readonly tokens: readonly string[]
  /** May be omitted if no point has lexemes. */
  readonly lexemes?: readonly (Lexemes | undefined)[]
  /** Unit vectors, concatenated. */
  readonly vectors: Float32Array
}

export type WriteRequest =
  | { readonly kind: 'open' }
  | { readonly kind: 'ensure'; readonly space: EmbeddingSpace }
  | { readonly kind: 'upsert'; readonly space: EmbeddingSpace; readonly points: PackedPoints }
  | (ItemVersion & { readonly kind: 'removeVersion'; readonly space: EmbeddingSpace; readonly fromPassage: number })
  | {
      readonly kind: 'removeNamespace'
      readonly space: EmbeddingSpace
      readonly namespaceId: string
      readonly limit: number
    }
  | { readonly kind: 'count'; readonly space: EmbeddingSpace; readonly namespaceId: string }

/** Written or emptied slots; without `slots` the whole partition was removed. */
export type Change = { readonly partition: number; readonly slots?: readonly number[] }

export type SearchScope = {
  readonly space: EmbeddingSpace
  readonly namespaceIds: readonly string[]
  readonly test: PointTest
  readonly except: readonly ItemVersion[]
  readonly limit: number
}

export type ReadRequest = {
  /** Account that sent the request; undefined: a service. */
  readonly owner: string | undefined
} /** `vector` has unit length. */ & (
  | (SearchScope & { readonly kind: 'search'; readonly vector: Float32Array })
  | (SearchScope & {
      readonly kind: 'searchWords'
      readonly vector: Float32Array | undefined
      readonly lexemes: Uint32Array
    })
  | {
      readonly kind: 'frequencies'
      readonly space: EmbeddingSpace
      readonly namespaceIds: readonly string[]
      readonly lexemes: Uint32Array
    }
  | {
      readonly kind: 'list'
      readonly space: EmbeddingSpace
      readonly namespaceIds: readonly string[]
      readonly test: PointTest
      readonly after?: PointAddress | undefined
      readonly limit: number
    }
  | {
      readonly kind: 'vectorsOf'
      readonly space: EmbeddingSpace
      readonly namespaceId: string
      readonly tokens: readonly string[]
    }
  | {
      readonly kind: 'missing'
      readonly space: EmbeddingSpace
      readonly addresses: readonly PointAddress[]
    }
)

/** Has no answer. `changes` arrive before any later search, so that a search sees every resolved write. */
export type ReadNotice = { readonly kind: 'changes'; readonly changes: readonly Change[] } | { readonly kind: 'forget' }

/** Errors of the engine become `unavailable`. */
export const indexError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const damage = damageError('vector index', error)
  if (damage) return damage
  const message = error instanceof Error ? error.message : String(error)
  const isEngine = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return new AppError(isEngine ? 'unavailable' : 'internal', `Vector index: ${message}`)
}
