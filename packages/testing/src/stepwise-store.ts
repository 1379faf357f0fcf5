import { compareText, matches, withChange } from '@cairn/domain/items/documents'
import type { Key, Step, Where } from '@cairn/domain/ports/store'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import type { StepName } from '@cairn/domain/protocol/step-names'
import type { Store } from '@cairn/domain/store'
import { type ByStepOptions, storeByStep } from './store-by-step.ts'

/** Documents of stepwise engines. Several engines with the same data simulate several processes with one database. */
export type StepwiseData = ReadonlyMap<Collection, Map<string, object>>

export const stepwiseData = (): StepwiseData =>
  new Map((Object.keys(collections) as Collection[]).map((name) => [name, new Map()]))

export type StepwiseStoreOptions = Omit<ByStepOptions, 'apply'> & {
  /** Store time in milliseconds. */
  readonly now: () => number
  readonly data?: StepwiseData
}

type Fields = Readonly<Record<string, unknown>>

const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  throw new Error(`no order between ${typeof a} and ${typeof b}`)
}

/** Throws for fields that are not columns, as an engine with tables does: only columns can be filtered or sorted by. */
const checkSearched = (name: Collection, fields: readonly string[]): void => {
  const { key, unique = [], indexes } = collections[name]
  const indexed = new Set([...key, ...unique, ...indexes.flat()])
  for (const field of fields) if (!indexed.has(field)) throw new Error(`${name} is not searched by ${field}`)
}

const createApply = (data: StepwiseData, now: () => number) => {
  const documentsOf = (name: Collection): Map<string, object> => {
    const documents = data.get(name)
    if (!documents) throw new Error(`no collection ${name}`)
    return documents
  }
  const place = (key: Key): string => JSON.stringify(key)

  const insert = (name: Collection, document: object): boolean => {
    const { key, unique } = collections[name]
    const fields = document as Fields
    const documents = documentsOf(name)
    const at = place(key.map((field) => String(fields[field])))
    if (documents.has(at)) return false
    const taken =
      unique && documents.values().some((other) => unique.every((field) => (other as Fields)[field] === fields[field]))
    if (taken) return false
    documents.set(at, structuredClone(document))
    return true
  }

  const found = (step: Extract<Step, { op: 'find' | 'count' | 'sum' }>): object[] => {
    checkSearched(step.in, Object.keys(step.where))
    return [...documentsOf(step.in).values()].filter((document) => matches(document, step.where))
  }

  return (step: Step): unknown => {
    switch (step.op) {
      case 'now':
        return now()
      case 'pause':
        return true
      case 'get':
        return step.keys.map((key) => documentsOf(step.in).get(place(key)))
      case 'count':
        return found(step).length
      case 'sum':
        checkSearched(step.in, [step.field])
        return found(step).reduce((sum, document) => sum + Number((document as Fields)[step.field] ?? 0), 0)
      case 'find': {
        checkSearched(step.in, step.order)
        const order = (a: object, b: object) =>
          step.order.reduce((sofar, field) => sofar || compare((a as Fields)[field], (b as Fields)[field]), 0)
        const sorted = found(step).sort(order)
        return (step.descending ? sorted.reverse() : sorted).slice(0, step.limit)
      }
      case 'insert':
        return step.documents.map((document) => insert(step.in, document))
      case 'update':
        return step.updates.map(({ key, where, change }) => {
          const old = documentsOf(step.in).get(place(key))
          if (!old || !matches(old, where)) return undefined
          const next = structuredClone(withChange(old, change))
          documentsOf(step.in).set(place(key), next)
          return next
        })
      case 'remove':
        return step.removals.map(({ key, where }) => {
          const old = documentsOf(step.in).get(place(key))
          return old !== undefined && matches(old, where) && documentsOf(step.in).delete(place(key))
        })
    }
  }
}

/**
 * Creates metadata in memory that runs the protocol one step at a time, as a database without transactions does. For
 * tests and simulations: `turn` decides the order of steps and which processes die; `intercept` can remove a clause.
 *
 *     const data = stepwiseData()
 *     const gateway = stepwiseStore({ data, now, turn: scheduler.turn })
 *     const faulty = stepwiseStore({ data, now, intercept: withoutCondition('accept: overwrite items', 'indexed.version') })
 */
export const stepwiseStore = ({ data = stepwiseData(), now, ...options }: StepwiseStoreOptions): Store =>
  storeByStep({ ...options, apply: createApply(data, now) })

/**
 * Creates an `intercept` that removes the conditions on `paths` from the updates and removals of one step; without
 * paths, it removes all conditions.
 */
export const withoutCondition =
  (name: StepName, ...paths: readonly string[]) =>
  (step: Step): Step => {
    if (step.step !== name) return step
    const loosened = (where: Where): Where =>
      paths.length === 0 ? {} : Object.fromEntries(Object.entries(where).filter(([path]) => !paths.includes(path)))
    if (step.op === 'update')
      return { ...step, updates: step.updates.map((update) => ({ ...update, where: loosened(update.where) })) }
    if (step.op === 'remove')
      return { ...step, removals: step.removals.map((removal) => ({ ...removal, where: loosened(removal.where) })) }
    throw new Error(`${name} has no condition to take out`)
  }
