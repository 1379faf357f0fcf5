import type { Collection } from '../protocol/collections.ts'

/** Values of the fields of a document's key, in order. */
export type Key = readonly string[]
/** Conditions by dotted path. A plain value means equal; a missing field equals null. */
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
/** Changes by dotted path; `max` raises a number, or a missing one, to at least the given value. */
export type Change = {
  readonly set?: { readonly [path: string]: unknown }
  readonly unset?: readonly string[]
  readonly inc?: { readonly [path: string]: number }
  readonly max?: { readonly [path: string]: number }
  readonly push?: { readonly [path: string]: readonly unknown[] }
  readonly pull?: { readonly [path: string]: readonly string[] }
}

/**
 * Read level of a step. `latest`: sees every write acknowledged before the step began, even across a change of primary.
 * `any`: sees an acknowledged state, which may be some seconds old. Default: `latest` in methods that write; in methods
 * that read, the level of the method (`reads`).
 */
export type ReadLevel = 'latest' | 'any'

/**
 * Operations that an engine of the record store must support. Each element of a step (a key, a document, an update, a
 * removal) is atomic, the step as a whole is not; `update` makes all its changes of one document at once. `where` of
 * `find`, `count` and `sum` names indexed fields only (`collections`). `only`: the fields that are needed, as paths for
 * `get`; because texts are long, a remote engine may leave out all other fields. If the engine fails, the step rejects
 * with AppError `unavailable`: the outcome of a write is then unknown, and the method ends.
 */
export type Operation =
  /** Store time in milliseconds, which only moves forward. */
  | { readonly op: 'now' }
  /** Waits for a random time. Result: false on an engine that runs a whole method at once. */
  | { readonly op: 'pause' }
  /** Result: documents in the order of the keys; undefined for a missing document. */
  | {
      readonly op: 'get'
      readonly in: Collection
      readonly keys: readonly Key[]
      readonly only?: readonly string[]
      readonly level?: ReadLevel
    }
  /** Result: documents by `order`, lowest first; with `descending`, highest first. */
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
  /**
   * Sums a number field, in which null and missing count as 0; an index with all named fields can answer this without
   * reading documents.
   */
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
   * Result: each document after its update; undefined when it is missing or `where` did not hold. `blind`: the result
   * is not needed, so a remote engine may send all updates at once and return nothing.
   */
  | {
      readonly op: 'update'
      readonly in: Collection
      readonly updates: readonly { readonly key: Key; readonly where: Where; readonly change: Change }[]
      readonly only?: readonly string[]
      readonly blind?: true
    }
  /**
   * Result: for each document, whether it existed, met `where` and was removed. `blind`: a remote engine may return the
   * number removed instead.
   */
  | {
      readonly op: 'remove'
      readonly in: Collection
      readonly removals: readonly { readonly key: Key; readonly where: Where }[]
      readonly blind?: true
    }

/**
 * A named operation of the protocol: a test may interrupt the protocol there, a simulation may let other processes run.
 */
export type Step = Operation & { readonly step: string }
