import { setTimeout as delay } from 'node:timers/promises'
import { atOnce } from '@cairn/contracts/flow/at-once'
import type { Change, Key, ReadLevel, Step, Where } from '@cairn/domain/ports/store'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import type { ClientSession, Db, Collection as Documents } from 'mongodb'
import {
  type Filter,
  filterOf,
  fromStored,
  idOf,
  type Stored,
  searchOf,
  sortOf,
  toStored,
  updateOf,
} from './mongodb-documents.ts'
import { isDuplicateKey, isObstructed, isWriteConflict, refusedIndexes, unwrittenIndexes } from './mongodb-errors.ts'
import { aroundObstacles } from './mongodb-obstacles.ts'

type StepOf<O extends Step['op']> = Extract<Step, { op: O }>
type Element = { readonly key: Key; readonly where: Where }
type Update = Element & { readonly change: Change }

export type Mode = {
  /** `local`: for a server without a replica set, which has one state only. */
  readonly level: ReadLevel | 'local'
  /** After this time, the server aborts an operation. */
  readonly maxTimeMS: number
  /** After the deadline, no further element is started. */
  readonly isOver: () => boolean
}

type ReadOptions = {
  readonly maxTimeMS: number
  readonly readConcern: { readonly level: 'majority' | 'local' }
  readonly session?: ClientSession
}

const concernOf = (level: 'any' | 'local') => (level === 'any' ? 'majority' : 'local')

/** Elements of a bulk step that run concurrently. */
const elementsAtOnce = 16
/** For a write that certainly wrote nothing. */
const tries = 5
/** Longer than a few steps of another method, and far shorter than the deadline. */
const pauseMs = { min: 50, max: 400 }

/** On a write conflict the server wrote nothing; other errors leave the outcome unknown and are not retried. */
const againOnConflict = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let left = tries; ; left -= 1) {
    try {
      return await write()
    } catch (error) {
      if (left === 1 || !isWriteConflict(error)) throw error
    }
  }
}

/** After a failure or the deadline, starts no further element. */
const eachOf = <T, R>(elements: readonly T[], { isOver }: Mode, work: (element: T) => Promise<R>): Promise<R[]> =>
  atOnce(elementsAtOnce, elements, async (element) => {
    if (isOver()) throw new Error('the deadline has passed')
    return work(element)
  })

const checkSearched = ({ in: name, where }: StepOf<'find' | 'count' | 'sum'>): void => {
  const { key, unique = [], indexes } = collections[name]
  for (const field of Object.keys(where))
    if (![...key, ...unique, ...indexes.flat()].includes(field)) throw new Error(`${name} is not searched by ${field}`)
}

const projectionOf = (only: readonly string[] | undefined) =>
  only ? { projection: Object.fromEntries(only.map((field) => [field, 1])) } : {}

const randomPauseMs = () => pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min)

/** Runs steps on a database, whose write concern and read preference apply. */
export class MongodbSteps {
  readonly #database: Db
  readonly #now: () => Promise<number>

  constructor(database: Db, now: () => Promise<number>) {
    this.#database = database
    this.#now = now
  }

  async run(step: Step, mode: Mode): Promise<unknown> {
    switch (step.op) {
      case 'now':
        return this.#now()
      case 'pause':
        return delay(randomPauseMs(), true)
      case 'get':
        return this.#get(step, mode)
      case 'find':
        return this.#find(step, mode)
      case 'count':
        return this.#count(step, mode)
      case 'sum':
        return this.#sum(step, mode)
      case 'insert':
        return this.#insert(step, mode)
      case 'update':
        if (step.blind && step.updates.length > 1) return this.#updateBlindly(step, mode)
        return eachOf(step.updates, mode, (one) => this.#updateOne(step, one, mode))
      case 'remove':
        if (step.blind && step.removals.length > 1) return this.#removeBlindly(step, mode)
        return eachOf(step.removals, mode, (one) => this.#removeOne(step.in, one, mode))
    }
  }

  #documentsOf(name: Collection): Documents<Stored> {
    return this.#database.collection<Stored>(name)
  }

  /** MongoDB supports linearizable reads only for filters that match one document, and needs a deadline for them. */
  #findById(
    name: Collection,
    filter: Filter & { readonly _id: string },
    mode: Mode,
    only: object,
  ): Promise<Stored | null> {
    const level = mode.level === 'latest' ? 'linearizable' : concernOf(mode.level)
    return this.#documentsOf(name).findOne(filter, { ...only, maxTimeMS: mode.maxTimeMS, readConcern: { level } })
  }

  /**
   * A read of the latest state first reads one document linearizably, which only a primary confirmed by a majority
   * answers. It then reads majority-committed data of that time or later, in a causally consistent session.
   */
  async #readMany<T>({ level, maxTimeMS }: Mode, read: (options: ReadOptions) => Promise<T>): Promise<T> {
    if (level !== 'latest') return read({ maxTimeMS, readConcern: { level: concernOf(level) } })
    const session = this.#database.client.startSession()
    try {
      const marker = this.#database.collection<{ readonly _id: string }>('schema')
      const projection = { _id: 1 }
      await marker.findOne(
        { _id: 'mongodb' },
        { session, projection, maxTimeMS, readConcern: { level: 'linearizable' } },
      )
      return await read({ session, maxTimeMS, readConcern: { level: 'majority' } })
    } finally {
      await session.endSession()
    }
  }

  async #get({ in: name, keys, only }: StepOf<'get'>, mode: Mode): Promise<(object | undefined)[]> {
    const ids = keys.map(idOf)
    const [first] = ids
    if (first === undefined) return []
    if (ids.length === 1) {
      const one = await this.#findById(name, { _id: first }, mode, projectionOf(only))
      return [one ? fromStored(name, one) : undefined]
    }
    // Everything in one batch, unless it exceeds 16 MB.
    const options = { ...projectionOf(only), batchSize: ids.length + 1 }
    const stored = await this.#readMany(mode, (reading) =>
      this.#documentsOf(name)
        .find({ _id: { $in: ids } }, { ...reading, ...options })
        .toArray(),
    )
    const byId = new Map(stored.map((one) => [one._id, one]))
    return ids.map((id) => {
      const one = byId.get(id)
      return one && fromStored(name, one)
    })
  }

  async #find(step: StepOf<'find'>, mode: Mode): Promise<object[]> {
    checkSearched(step)
    const { in: name, where, order, descending, limit, only } = step
    const options = { ...projectionOf(only), sort: sortOf(name, where, order, descending), limit, batchSize: limit + 1 }
    const stored = await this.#readMany(mode, (reading) =>
      this.#documentsOf(name)
        .find(searchOf(name, where), { ...reading, ...options })
        .toArray(),
    )
    return stored.map((one) => fromStored(name, one))
  }

  async #count(step: StepOf<'count'>, mode: Mode): Promise<number> {
    checkSearched(step)
    // The driver's count method runs an aggregation of two stages.
    return this.#readMany(mode, async ({ session, ...reading }) => {
      const query = searchOf(step.in, step.where)
      const { n } = await this.#database.command({ count: step.in, query, ...reading }, session ? { session } : {})
      return Number(n)
    })
  }

  async #sum(step: StepOf<'sum'>, mode: Mode): Promise<number> {
    checkSearched(step)
    const { in: name, where, field } = step
    const stages = [{ $match: searchOf(name, where) }, { $group: { _id: null, sum: { $sum: `$${field}` } } }]
    return this.#readMany(mode, async (reading) => {
      const [found] = await this.#documentsOf(name).aggregate<{ readonly sum: number }>(stages, reading).toArray()
      return Number(found?.sum ?? 0)
    })
  }

  async #insert({ in: name, documents }: StepOf<'insert'>, { maxTimeMS }: Mode): Promise<boolean[]> {
    const stored = documents.map((document) => toStored(name, document))
    const [only] = stored.length === 1 ? stored : []
    try {
      if (only) await againOnConflict(() => this.#documentsOf(name).insertOne(only, { maxTimeMS }))
      else if (stored.length > 0) await this.#documentsOf(name).insertMany(stored, { maxTimeMS, ordered: false })
      return stored.map(() => true)
    } catch (error) {
      if (only && isDuplicateKey(error)) return [false]
      // Some stores report a wrong count of inserted documents, but all report which ones they rejected.
      const refused = refusedIndexes(error)
      if (!refused) throw error
      return stored.map((_, index) => !refused.has(index))
    }
  }

  async #updateOne({ in: name, only }: StepOf<'update'>, { key, where, change }: Update, mode: Mode) {
    const byKey = { _id: idOf(key) }
    const filter = { ...byKey, ...filterOf(name, where) }
    const { maxTimeMS } = mode
    const keyFields = collections[name].key
    const needsKeyOnly = only?.every((field) => keyFields.includes(field))
    const asKey: Stored = { ...Object.fromEntries(keyFields.map((field, index) => [field, key[index]])), ...byKey }
    const write = async (more: Filter, to: Change): Promise<Stored | null> => {
      const update = updateOf(name, to)
      const all = { ...filter, ...more }
      if (!update) return this.#findById(name, all, mode, projectionOf(only))
      if (needsKeyOnly) {
        // Cheaper than `findAndModify`, for which the server also stores the returned document.
        const { matchedCount } = await againOnConflict(() =>
          this.#documentsOf(name).updateOne(all, update, { maxTimeMS }),
        )
        return matchedCount === 1 ? asKey : null
      }
      const options = { maxTimeMS, ...projectionOf(only), returnDocument: 'after' } as const
      return againOnConflict(() => this.#documentsOf(name).findOneAndUpdate(all, update, options))
    }
    for (let left = tries; ; left -= 1) {
      try {
        const stored = await write({}, change)
        return stored ? fromStored(name, stored) : undefined
      } catch (error) {
        if (left === 0 || !isObstructed(error)) throw error
        const stored = await this.#findById(name, byKey, mode, {})
        const around = stored && aroundObstacles(fromStored(name, stored), stored, change)
        if (!around) throw error
        const written = await write(around.unchanged, around.change)
        if (written) return fromStored(name, written)
        // Either the condition does not hold, or the blocking value has changed: the next attempt finds out.
      }
    }
  }

  /** The server reports how many updates met their condition, but not which. */
  async #updateBlindly(step: StepOf<'update'>, mode: Mode): Promise<never[]> {
    const { in: name } = step
    const updates = step.updates.flatMap((one) => {
      const update = updateOf(name, one.change)
      return update ? [{ one, update }] : []
    })
    if (updates.length === 0) return []
    try {
      await this.#documentsOf(name).bulkWrite(
        updates.map(({ one: { key, where }, update }) => ({
          updateOne: { filter: { _id: idOf(key), ...filterOf(name, where) }, update },
        })),
        { maxTimeMS: mode.maxTimeMS, ordered: false },
      )
    } catch (error) {
      const unwritten = unwrittenIndexes(error)
      if (!unwritten) throw error
      const left = updates.filter((_, place) => unwritten.has(place))
      await eachOf(left, mode, ({ one }) => this.#updateOne(step, one, mode))
    }
    return []
  }

  async #removeOne(name: Collection, { key, where }: Element, { maxTimeMS }: Mode): Promise<boolean> {
    const filter = { _id: idOf(key), ...filterOf(name, where) }
    const { deletedCount } = await againOnConflict(() => this.#documentsOf(name).deleteOne(filter, { maxTimeMS }))
    return deletedCount === 1
  }

  /** One command can do, because the removals have no conditions. */
  async #removeBlindly({ in: name, removals }: StepOf<'remove'>, { maxTimeMS }: Mode): Promise<number> {
    const filter = { _id: { $in: removals.map(({ key }) => idOf(key)) } }
    const { deletedCount } = await againOnConflict(() => this.#documentsOf(name).deleteMany(filter, { maxTimeMS }))
    return deletedCount
  }
}
