import type { Db, IndexDescription } from 'mongodb'
import { type Collection, collections } from './protocol/steps.ts'

/**
 * The indexes of a collection. `_id` is the whole key as one text, and its own index serves look-ups, pages and counts by key;
 * it also decides between two inserts of one document.
 *
 * - `unique_…` is what makes a name taken: of two namespaces of one account and name, one insert is refused.
 * - `by_…` hold no rule. They make the sweeps (what is due, open, reserving, old), listings and counts by namespace read what
 *   they return and no more; the last field is the one they are sorted by.
 */
const indexesOf = (name: Collection): IndexDescription[] => {
  const { key, unique, indexes } = collections[name]
  // The last part of a key stands for `_id`, in whose form it is ordered.
  const fields = (index: readonly string[]) =>
    Object.fromEntries(index.map((field) => [key.length === 1 && field === key[0] ? '_id' : field, 1]))
  return [
    ...(unique ? [{ name: `unique_${unique.join('_')}`, key: fields(unique), unique: true }] : []),
    ...indexes.map((index) => ({ name: `by_${index.join('_')}`, key: fields(index) })),
  ]
}

/**
 * Makes what is missing; nothing happens to what is there. Any number of processes may do it at once: the server builds an
 * index once, and who asks meanwhile waits for it. An index of the same name over other fields is an error.
 */
export const ensureIndexes = async (database: Db): Promise<void> => {
  await Promise.all(
    (Object.keys(collections) as Collection[]).map(async (name) => {
      const indexes = indexesOf(name)
      if (indexes.length > 0) await database.collection(name).createIndexes(indexes)
    }),
  )
}
