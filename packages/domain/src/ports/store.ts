import type { Collection } from '../protocol/collections.ts'

/** Key fields in order. */
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
/** Changes by dotted path; `max` raises a number, or a missing one, to at least the value. */
export type Change = {
  readonly set?: { readonly [path: string]: unknown }
  readonly unset?: readonly string[]
  readonly inc?: { readonly [path: string]: number }
  readonly max?: { readonly [path: string]: number }
  readonly push?: { readonly [path: string]: readonly unknown[] }
  readonly pull?: { readonly [path: string]: readonly string[] }
}

/**
 * `latest`: sees every write acknowledged before the step, even across a change of primary. `any`: an acknowledged
 * state, perhaps some seconds old. Default: `latest` in methods that write, else the method's level (`reads`).
 */
export type ReadLevel = 'latest' | 'any'

/**
 * What an engine must support. Each element of a step (key, document, update, removal) is atomic, the step is not.
 * `where` of `find`, `count` and `sum` names indexed fields only (`collections`). `only`: the fields needed, as paths
 * for `get`; a remote engine may leave out the others, as texts are long. If the engine fails, the step rejects with
 * AppError `unavailable`: the outcome of a write is unknown, and the method ends.
 */
export type Operation =
  /** Store time in milliseconds, which only moves forward. */
  | { readonly op: 'now' }
  /** Waits for a random time. Result: false on an engine that runs a whole method at once. */
  | { readonly op: 'pause' }
  /** Result: documents in the order of the keys; undefined for a missing one. */
  | {
      readonly op: 'get'
      readonly in: Collection
      readonly keys: readonly Key[]
      readonly only?: readonly string[]
      readonly level?: ReadLevel
    }
  /** Result: documents by `order`, lowest first unless `descending`. */
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
   * Sums a field, in which null and missing count as 0; an index with all named fields answers without reading
   * documents.
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
   * is not needed, so a remote engine may send all at once and return nothing.
   */
  | {
      readonly op: 'update'
      readonly in: Collection
      readonly updates: readonly { readonly key: Key; readonly where: Where; readonly change: Change }[]
      readonly only?: readonly string[]
      readonly blind?: true
    }
  /**
   * Result: whether each document existed, met `where` and was removed. `blind`: a remote engine may return the number
   * instead.
   */
  | {
      readonly op: 'remove'
      readonly in: Collection
      readonly removals: readonly { readonly key: Key; readonly where: Where }[]
      readonly blind?: true
    }

/** Named: a test may interrupt the protocol there, a simulation let other processes run. */
export type Step = Operation & { readonly step: string }
