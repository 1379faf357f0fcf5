import type { Collection } from '../metadata/collections.ts'

/** Values of the fields of a document's key, in order. */
export type Key = readonly string[]
/** Dotted path to the required value. A plain value means equal; a missing field equals null. */
export type Where = { readonly [path: string]: Condition }
export type Condition =
  | string
  | number
  | boolean
  | null
  | {
      readonly lte?: number | string
      readonly lt?: number | string
      readonly gt?: number | string
      readonly ne?: string | number | null
    }
/** By dotted path; `max` raises a number, or a missing one, to at least this. */
export type Change = {
  readonly set?: { readonly [path: string]: unknown }
  readonly unset?: readonly string[]
  readonly inc?: { readonly [path: string]: number }
  readonly max?: { readonly [path: string]: number }
  readonly push?: { readonly [path: string]: readonly unknown[] }
  readonly pull?: { readonly [path: string]: readonly string[] }
}

/**
 * How a step reads. `latest`: every write acknowledged before the step began, even across a change of primary. `any`: a
 * state that was acknowledged, which may be some seconds old. Without it, steps of methods that write read the latest
 * state, and steps of reading methods what the method says (`Reads`).
 */
export type ReadLevel = 'latest' | 'any'

/**
 * What an engine of the metadata store must do. Each element of a step (a key, a document, an update, a removal) is
 * atomic, the step as a whole is not; what `update` changes in one document, it changes at once. `where` of `find`,
 * `count` and `sum` names indexed fields only (`collections`). `only`: fields that are needed, as paths for `get`; texts
 * are long, and a remote engine may leave out all others. Trouble with the engine is AppError `unavailable`: then the
 * outcome of a write is unknown, and the method ends.
 */
export type Operation =
  /** Store time in milliseconds, which only moves forward. */
  | { readonly op: 'now' }
  /** Waits for a random moment. Result: false on an engine that runs a whole method at once. */
  | { readonly op: 'pause' }
  /** Result: documents in the order of the keys; undefined for a missing one. */
  | {
      readonly op: 'get'
      readonly in: Collection
      readonly keys: readonly Key[]
      readonly only?: readonly string[]
      readonly level?: ReadLevel
    }
  /** Result: documents by `order`, the lowest first; `descending`: the highest. */
  | {
      readonly op: 'find'
      readonly in: Collection
      readonly where: Where
      readonly order: readonly string[]
      readonly descending?: true
      readonly limit: number
      readonly only?: readonly string[]
      readonly level?: ReadLevel
    }
  | { readonly op: 'count'; readonly in: Collection; readonly where: Where; readonly level?: ReadLevel }
  /** Sums a number field, null or missing; an index with all fields named here answers it alone. */
  | {
      readonly op: 'sum'
      readonly in: Collection
      readonly field: string
      readonly where: Where
      readonly level?: ReadLevel
    }
  /** Result: for each document, false when its key, or another unique field, exists. */
  | { readonly op: 'insert'; readonly in: Collection; readonly documents: readonly object[] }
  /**
   * Result: each document after its update; undefined when it is missing or `where` did not hold. `blind`: not needed, a
   * remote engine may send all updates at once and return nothing.
   */
  | {
      readonly op: 'update'
      readonly in: Collection
      readonly updates: readonly { readonly key: Key; readonly where: Where; readonly change: Change }[]
      readonly only?: readonly string[]
      readonly blind?: true
    }
  /** Result: whether each existed, met `where` and was removed. `blind`: a remote engine may return their number. */
  | {
      readonly op: 'remove'
      readonly in: Collection
      readonly removals: readonly { readonly key: Key; readonly where: Where }[]
      readonly blind?: true
    }

/** An operation of the protocol by its name: a test may interrupt the protocol there, a simulation let others run. */
export type Step = Operation & { readonly step: string }
