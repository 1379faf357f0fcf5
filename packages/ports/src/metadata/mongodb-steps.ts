import { setTimeout as delay } from 'node:timers/promises'
import type { ClientSession, Db, Collection as Documents } from 'mongodb'
import { inParallel } from './mongodb-deadline.ts'
import { type Filter, filterOf, fromStored, idOf, type Stored, searchOf, sortOf, toStored, updateOf } from './mongodb-documents.ts'
import { isDuplicateKey, isObstructed, isWriteConflict, refusedPlaces, unwrittenPlaces } from './mongodb-errors.ts'
import { aroundObstacles } from './mongodb-obstacles.ts'
import { type Change, type Collection, collections, type Key, type Step, type Where } from './protocol/steps.ts'

type StepOf<O extends Step['op']> = Extract<Step, { op: O }>
type Element = { readonly key: Key; readonly where: Where }
type Update = Element & { readonly change: Change }

/** How a step is run. */
export type Mode = {
  /**
   * What its reads see. `decisive`: every write acknowledged before the step began, whichever member was primary then. `majority`: what
   * a majority has; a primary that was replaced without knowing it answers with what it had. `local`: of a server without members.
   */
  readonly level: 'decisive' | 'majority' | 'local'
  /** The server gives up after so long. */
  readonly maxTimeMS: number
  /** Whether its time is up, so that no further element of it is begun. */
  readonly isOver: () => boolean
}

type ReadOptions = {
  readonly maxTimeMS: number
  readonly readConcern: { readonly level: 'majority' | 'local' }
  readonly session?: ClientSession
}

/** Elements of a bulk step that are under way at once. */
const atOnce = 16
/** Tries of one write that is known to have written nothing. */
const tries = 5
/** Longer than some steps of another method take, and shorter than its deadline by far. */
const pauseMs = { least: 50, most: 400 }

/** A write conflict that the server gave up on has written nothing: the only write that is sent again here. */
const againOnConflict = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let left = tries; ; left -= 1) {
    try {
      return await write()
    } catch (error) {
      if (left === 1 || !isWriteConflict(error)) throw error
    }
  }
}

const checkSearched = ({ in: name, where }: StepOf<'find' | 'count' | 'sum'>): void => {
  const { key, unique = [], indexes } = collections[name]
  for (const field of Object.keys(where))
    if (![...key, ...unique, ...indexes.flat()].includes(field)) throw new Error(`${name} is not searched by ${field}`)
}

/** Runs steps of the protocol on the collections of one database, which carries the write concern and the read preference. */
export const stepsOn = (database: Db, now: () => Promise<number>) => {
  const of = (name: Collection): Documents<Stored> => database.collection<Stored>(name)

  /** One document by `_id`. Linearizable reads are documented for filters that match one document, and with a deadline, alone. */
  const findById = (name: Collection, filter: Filter & { readonly _id: string }, mode: Mode, only: object): Promise<Stored | null> => {
    const level = mode.level === 'decisive' ? 'linearizable' : mode.level
    return of(name).findOne(filter, { ...only, maxTimeMS: mode.maxTimeMS, readConcern: { level } })
  }

  /**
   * Reads any number of documents. A decisive one first reads one document linearizably, which a primary answers only once a majority
   * knows it as such, then what a majority has at that time or later (a causally consistent session).
   */
  const readMany = async <T>({ level, maxTimeMS }: Mode, read: (options: ReadOptions) => Promise<T>): Promise<T> => {
    if (level !== 'decisive') return read({ maxTimeMS, readConcern: { level } })
    const session = database.client.startSession()
    try {
      const marker = database.collection<{ readonly _id: string }>('schema')
      const projection = { _id: 1 }
      await marker.findOne({ _id: 'mongodb' }, { session, projection, maxTimeMS, readConcern: { level: 'linearizable' } })
      return await read({ session, maxTimeMS, readConcern: { level: 'majority' } })
    } finally {
      await session.endSession()
    }
  }
  const projected = (only: readonly string[] | undefined) =>
    only ? { projection: Object.fromEntries(only.map((field) => [field, 1])) } : {}

  const get = async ({ in: name, keys, only }: StepOf<'get'>, mode: Mode): Promise<(object | undefined)[]> => {
    const ids = keys.map(idOf)
    const [first] = ids
    if (first === undefined) return []
    if (ids.length === 1) {
      const one = await findById(name, { _id: first }, mode, projected(only))
      return [one ? fromStored(name, one) : undefined]
    }
    // One batch, unless that is over 16 MB.
    const options = { ...projected(only), batchSize: ids.length + 1 }
    const stored = await readMany(mode, (reading) =>
      of(name)
        .find({ _id: { $in: ids } }, { ...reading, ...options })
        .toArray(),
    )
    const known = new Map(stored.map((one) => [one._id, one]))
    return ids.map((id) => {
      const one = known.get(id)
      return one && fromStored(name, one)
    })
  }

  const find = async (step: StepOf<'find'>, mode: Mode): Promise<object[]> => {
    checkSearched(step)
    const { in: name, where, order, limit, only } = step
    const options = { ...projected(only), sort: sortOf(name, where, order), limit, batchSize: limit + 1 }
    const stored = await readMany(mode, (reading) =>
      of(name)
        .find(searchOf(name, where), { ...reading, ...options })
        .toArray(),
    )
    return stored.map((one) => fromStored(name, one))
  }

  const count = async (step: StepOf<'count'>, mode: Mode): Promise<number> => {
    checkSearched(step)
    // The command, since the driver's own way to count takes two stages of an aggregation.
    return readMany(mode, async ({ session, ...reading }) => {
      const query = searchOf(step.in, step.where)
      const { n } = await database.command({ count: step.in, query, ...reading }, session ? { session } : {})
      return Number(n)
    })
  }

  const sum = async (step: StepOf<'sum'>, mode: Mode): Promise<number> => {
    checkSearched(step)
    const { in: name, where, field } = step
    const stages = [{ $match: searchOf(name, where) }, { $group: { _id: null, sum: { $sum: `$${field}` } } }]
    return readMany(mode, async (reading) => {
      const [found] = await of(name).aggregate<{ readonly sum: number }>(stages, reading).toArray()
      return Number(found?.sum ?? 0)
    })
  }

  const insert = async ({ in: name, documents }: StepOf<'insert'>, { maxTimeMS }: Mode): Promise<boolean[]> => {
    const stored = documents.map((document) => toStored(name, document))
    const [only] = stored.length === 1 ? stored : []
    try {
      if (only) await againOnConflict(() => of(name).insertOne(only, { maxTimeMS }))
      else if (stored.length > 0) await of(name).insertMany(stored, { maxTimeMS, ordered: false })
      return stored.map(() => true)
    } catch (error) {
      if (only && isDuplicateKey(error)) return [false]
      // Some stores miscount what they inserted; which ones they refused, they all say.
      const refused = refusedPlaces(error)
      if (!refused) throw error
      return stored.map((_, index) => !refused.has(index))
    }
  }

  const updateOne = async ({ in: name, only }: StepOf<'update'>, { key, where, change }: Update, mode: Mode) => {
    const byKey = { _id: idOf(key) }
    const filter = { ...byKey, ...filterOf(name, where) }
    const { maxTimeMS } = mode
    const write = (more: Filter, to: Change): Promise<Stored | null> => {
      const update = updateOf(name, to)
      const all = { ...filter, ...more }
      if (!update) return findById(name, all, mode, projected(only))
      const options = { maxTimeMS, ...projected(only), returnDocument: 'after' } as const
      return againOnConflict(() => of(name).findOneAndUpdate(all, update, options))
    }
    for (let left = tries; ; left -= 1) {
      try {
        const stored = await write({}, change)
        return stored ? fromStored(name, stored) : undefined
      } catch (error) {
        if (left === 0 || !isObstructed(error)) throw error
        const stored = await findById(name, byKey, mode, {})
        const around = stored && aroundObstacles(fromStored(name, stored), stored, change)
        if (!around) throw error
        const written = await write(around.unchanged, around.change)
        if (written) return fromStored(name, written)
        // Either the condition does not hold, or what stood in the way has moved: the next round tells.
      }
    }
  }

  /** All in one command. It says how many met their condition, but not which. */
  const updateBlindly = async (step: StepOf<'update'>, mode: Mode): Promise<never[]> => {
    const { in: name } = step
    const updates = step.updates.flatMap((one) => {
      const update = updateOf(name, one.change)
      return update ? [{ one, update }] : []
    })
    if (updates.length === 0) return []
    try {
      await of(name).bulkWrite(
        updates.map(({ one: { key, where }, update }) => ({
          updateOne: { filter: { _id: idOf(key), ...filterOf(name, where) }, update },
        })),
        { maxTimeMS: mode.maxTimeMS, ordered: false },
      )
    } catch (error) {
      const unwritten = unwrittenPlaces(error)
      if (!unwritten) throw error
      const left = updates.filter((_, place) => unwritten.has(place))
      await inParallel(left, { atOnce, isOver: mode.isOver }, ({ one }) => updateOne(step, one, mode))
    }
    return []
  }

  const removeOne = async (name: Collection, { key, where }: Element, { maxTimeMS }: Mode): Promise<boolean> => {
    const filter = { _id: idOf(key), ...filterOf(name, where) }
    const { deletedCount } = await againOnConflict(() => of(name).deleteOne(filter, { maxTimeMS }))
    return deletedCount === 1
  }

  return async (step: Step, mode: Mode): Promise<unknown> => {
    const each = { atOnce, isOver: mode.isOver }
    switch (step.op) {
      case 'now':
        return now()
      case 'pause':
        return delay(pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least), true)
      case 'get':
        return get(step, mode)
      case 'find':
        return find(step, mode)
      case 'count':
        return count(step, mode)
      case 'sum':
        return sum(step, mode)
      case 'insert':
        return insert(step, mode)
      case 'update':
        if (step.blind && step.updates.length > 1) return updateBlindly(step, mode)
        return inParallel(step.updates, each, (one) => updateOne(step, one, mode))
      case 'remove':
        return inParallel(step.removals, each, (one) => removeOne(step.in, one, mode))
    }
  }
}
