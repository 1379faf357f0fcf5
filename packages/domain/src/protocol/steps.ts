import type { Condition, Key, ReadLevel, Step, Where } from '../ports/store.ts'
import { type Collection, collections, type Documents } from './collections.ts'
import type { StepName } from './step-names.ts'

type FieldOf<C extends Collection, P extends string> = Extract<
  keyof Documents[C],
  P extends `${infer F}.${string}` ? F : P
>
type Field<C extends Collection> = Extract<keyof Documents[C], string>

type Leaf = string | number | boolean | null | undefined | readonly unknown[] | Float32Array
/** `indexed.version`: a field of a document, or of an object in it. */
type Path<T> = T extends Leaf
  ? never
  : { [K in Extract<keyof T, string>]: K | `${K}.${Path<NonNullable<T[K]>>}` }[Extract<keyof T, string>]
/**
 * A misspelled path does not compile. A literal not written in place must name its type: excess fields are only
 * detected in literals.
 */
type ByPath<C extends Collection, V> = { readonly [P in Path<Documents[C]>]?: V }
export type WhereOf<C extends Collection> = ByPath<C, Condition>
export type ChangeOf<C extends Collection> = {
  readonly set?: ByPath<C, unknown>
  readonly unset?: readonly Path<Documents[C]>[]
  readonly inc?: ByPath<C, number>
  readonly max?: ByPath<C, number>
  readonly push?: ByPath<C, readonly unknown[]>
  readonly pull?: ByPath<C, readonly string[]>
}
export type RemovalOf<C extends Collection> = { readonly key: Key; readonly where: WhereOf<C> }
export type UpdateOf<C extends Collection> = RemovalOf<C> & { readonly change: ChangeOf<C> }

type UntypedUpdates = Extract<Step, { op: 'update' }>['updates']
type UntypedRemovals = Extract<Step, { op: 'remove' }>['removals']

type Parts = readonly (Protocol<unknown> | undefined)[]
/** `runSteps` and `runStepsAsync` return the parts' results in this order. */
type Together = { readonly op: 'together'; readonly parts: Parts }

/** Yields steps and is resumed with their results: one code serves every engine. */
export type Protocol<T> = Generator<Step | Together, T, unknown>
export type ReadProtocol<T> = Generator<Extract<Step, { op: 'now' | 'get' | 'find' | 'count' | 'sum' }>, T, unknown>

type Reader<A extends readonly unknown[], R> = ((...args: A) => ReadProtocol<R>) & { readonly reads: ReadLevel }

/** Marks a method that may read any acknowledged state: an engine may serve it on another connection. */
export const read = <A extends readonly unknown[], R>(method: (...args: A) => ReadProtocol<R>): Reader<A, R> =>
  Object.assign(method, { reads: 'any' } as const)

/**
 * Marks a method that reads the latest committed state, as its result decides what may be removed. Costs MongoDB a
 * write.
 */
export const readLatest = <A extends readonly unknown[], R>(method: (...args: A) => ReadProtocol<R>): Reader<A, R> =>
  Object.assign(method, { reads: 'latest' } as const)

/**
 * Reads any acknowledged state within a method that writes. The writes must be conditional on the values read, so that
 * a stale value makes them fail and the method reads again.
 */
export function* guarded<T>(reading: ReadProtocol<T>): ReadProtocol<T> {
  let next = reading.next()
  while (!next.done) next = reading.next(yield { ...next.value, level: 'any' } as typeof next.value)
  return next.value
}

/** Runs the parts concurrently on a remote engine; one may succeed although another fails. */
export function* together<P extends Parts>(
  ...parts: P
): Protocol<{ -readonly [I in keyof P]: P[I] extends Protocol<infer R> | undefined ? R : undefined }> {
  return (yield { op: 'together', parts }) as never
}

export const runSteps = <T>(steps: Protocol<T>, execute: (step: Step) => unknown): T => {
  let next = steps.next()
  while (!next.done) {
    const { value } = next
    next = steps.next(
      value.op === 'together' ? value.parts.map((part) => part && runSteps(part, execute)) : execute(value),
    )
  }
  return next.value
}

/** Waits for all parts before throwing the first failure, so that none continues afterwards. */
const allOf = async (parts: Parts, execute: (step: Step) => unknown): Promise<unknown[]> => {
  const ends = await Promise.allSettled(parts.map((part) => part && runStepsAsync(part, execute)))
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}

export const runStepsAsync = async <T>(steps: Protocol<T>, execute: (step: Step) => unknown): Promise<T> => {
  let next = steps.next()
  while (!next.done) {
    const { value } = next
    next = steps.next(await (value.op === 'together' ? allOf(value.parts, execute) : execute(value)))
  }
  return next.value
}

export function* now(step: StepName = 'now'): ReadProtocol<number> {
  return (yield { op: 'now', step }) as number
}

/** Lets other operations finish between two of their steps. False on an engine that runs a whole method at once. */
export function* pause(step: StepName): Protocol<boolean> {
  return (yield { op: 'pause', step }) as boolean
}

type Requested<C extends Collection, F extends string> = [F] extends [never]
  ? Documents[C]
  : Pick<Documents[C], FieldOf<C, F>>

/** Returns documents in the order of the keys; undefined for a missing one. */
export function* get<C extends Collection, F extends Path<Documents[C]> = never>(
  step: StepName,
  from: C,
  keys: readonly Key[],
  only?: readonly F[],
): ReadProtocol<(Requested<C, F> | undefined)[]> {
  return (yield { op: 'get', step, in: from, keys, ...(only && { only }) }) as never
}

export function* getOne<C extends Collection>(
  step: StepName,
  from: C,
  ...key: string[]
): ReadProtocol<Documents[C] | undefined> {
  return (yield* get(step, from, [key]))[0]
}

const findIn = (direction: { readonly descending?: true }) =>
  function* <C extends Collection, F extends Field<C> = never>(
    step: StepName,
    from: C,
    where: WhereOf<C>,
    order: readonly Field<C>[],
    limit: number,
    only?: readonly F[],
  ): ReadProtocol<Requested<C, F>[]> {
    const found = { op: 'find', step, in: from, where: where as Where, order, limit, ...direction } as const
    return (yield { ...found, ...(only && { only }) }) as never
  }

export const find = findIn({})

export const findLast = findIn({ descending: true })

export function* count<C extends Collection>(step: StepName, from: C, where: WhereOf<C>): ReadProtocol<number> {
  return (yield { op: 'count', step, in: from, where: where as Where }) as number
}

export function* sum<C extends Collection>(
  step: StepName,
  from: C,
  field: Field<C>,
  where: WhereOf<C>,
): ReadProtocol<number> {
  return (yield { op: 'sum', step, in: from, field, where: where as Where }) as number
}

/** Returns false for each whose key, or another unique field, exists. */
export function* insert<C extends Collection>(
  step: StepName,
  into: C,
  documents: readonly Documents[C][],
): Protocol<boolean[]> {
  return (yield { op: 'insert', step, in: into, documents }) as boolean[]
}

export function* insertOne<C extends Collection>(step: StepName, into: C, document: Documents[C]): Protocol<boolean> {
  return (yield* insert(step, into, [document]))[0] === true
}

/** Returns each document after its update; undefined when it is missing or the condition did not hold. */
export function* update<C extends Collection, F extends Field<C> = never>(
  step: StepName,
  into: C,
  updates: readonly UpdateOf<C>[],
  only?: readonly F[],
): Protocol<(Requested<C, F> | undefined)[]> {
  return (yield { op: 'update', step, in: into, updates: updates as UntypedUpdates, ...(only && { only }) }) as never
}

/** Does not report which updates were applied. */
export function* updateBlindly<C extends Collection>(
  step: StepName,
  into: C,
  updates: readonly UpdateOf<C>[],
): Protocol<void> {
  yield { op: 'update', step, in: into, updates: updates as UntypedUpdates, blind: true }
}

export function* updateOne<C extends Collection, F extends Field<C> = never>(
  step: StepName,
  into: C,
  key: Key,
  where: WhereOf<C>,
  change: ChangeOf<C>,
  only?: readonly F[],
): Protocol<Requested<C, F> | undefined> {
  return (yield* update(step, into, [{ key, where, change }], only))[0]
}

/** Returns whether the document exists and met the condition. */
export function* updateIf<C extends Collection>(
  step: StepName,
  into: C,
  key: Key,
  where: WhereOf<C>,
  change: ChangeOf<C>,
): Protocol<boolean> {
  const only = collections[into].key as readonly Field<C>[]
  return (yield* updateOne(step, into, key, where, change, only)) !== undefined
}

/** Removes documents in any state; returns how many existed. */
export function* removeAll<C extends Collection>(step: StepName, from: C, keys: readonly Key[]): Protocol<number> {
  const removals = keys.map((key) => ({ key, where: {} }))
  const removed = (yield { op: 'remove', step, in: from, removals, blind: true }) as number | boolean[]
  return typeof removed === 'number' ? removed : removed.filter(Boolean).length
}

/** Removes what `finding` yields, with its keys, if it meets the condition. Returns the number removed. */
export function* removeFound<C extends Collection>(
  step: StepName,
  from: C,
  finding: ReadProtocol<readonly object[]>,
  where?: WhereOf<C>,
): Protocol<number> {
  const found = (yield* finding) as readonly Readonly<Record<string, string>>[]
  const keys = found.map((document) => collections[from].key.map((field) => document[field] as string))
  if (!where) return yield* removeAll(step, from, keys)
  return (yield* remove(
    step,
    from,
    keys.map((key) => ({ key, where })),
  )).filter(Boolean).length
}

/** Returns for each whether it existed, met the condition and was removed. */
export function* remove<C extends Collection>(
  step: StepName,
  from: C,
  removals: readonly RemovalOf<C>[],
): Protocol<boolean[]> {
  return (yield { op: 'remove', step, in: from, removals: removals as UntypedRemovals }) as boolean[]
}
