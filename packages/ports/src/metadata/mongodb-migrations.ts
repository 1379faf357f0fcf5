import type { Db, IndexDescription } from 'mongodb'
import type { Migration } from '../schema/migrations.ts'

/** Field names joined by spaces; `unique:` before those that may not occur twice. `_id` is the whole key as one text. */
type Indexes = Readonly<Record<string, readonly string[]>>

const described = (index: string): IndexDescription => {
  const isUnique = index.startsWith('unique:')
  const fields = index.replace('unique:', '').split(' ')
  const key = Object.fromEntries(fields.map((field) => [field, 1]))
  const name = fields.map((field) => (field === '_id' ? 'id' : field)).join('_')
  return isUnique ? { name: `unique_${name}`, key, unique: true } : { name: `by_${name}`, key }
}

/** Makes indexes that are missing; nothing happens to those that are there. An index of the same name over other fields is an error. */
const createIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, all] of Object.entries(indexes)) await db.collection(collection).createIndexes(all.map(described))
}

/**
 * The index of `_id` serves look-ups, pages and counts by key and decides between two inserts of one document.
 *
 * - `unique_…` is what makes a name taken: of two namespaces of one account and name, one insert is refused.
 * - `by_…` hold no rule. They make the sweeps (what is due, open, reserving, old), listings and counts by namespace read what
 *   they return and no more; the last field is the one they are sorted by.
 */
const indexesOf010: Indexes = {
  accounts: ['reservationCount'],
  apiKeys: ['accountId _id'],
  namespaces: ['unique:accountId name', 'openCount', 'state _id', 'accountId state name'],
  items: ['status updatedAt'],
  uploads: ['state nextAttemptAt', 'state createdAt', 'state updatedAt', 'namespaceId _id'],
  files: ['unique:namespaceId name', 'state nextAttemptAt', 'state createdAt', 'namespaceId _id', 'namespaceId idBase'],
  chunks: ['namespaceId itemId', 'version _id'],
  grants: ['nextLookAt', 'namespaceId expiresAt'],
  deletions: ['state nextAttemptAt', 'state createdAt', 'state updatedAt', 'namespaceId target _id'],
}

/** By which due jobs are found account by account, each with one look at the index. */
const byAccount = ['state lane accountId namespaceId nextAttemptAt']

/** What is stored in MongoDB, step by step. */
export const mongodbMigrations: readonly Migration<Db>[] = [
  { number: 1, name: 'indexes of 0.1.0', apply: (db) => createIndexes(db, indexesOf010) },
  { number: 2, name: 'owners of objects', apply: (db) => createIndexes(db, { orphans: ['lastSeenAt'] }) },
  {
    number: 3,
    name: 'order of accounts',
    apply: (db) => createIndexes(db, { uploads: byAccount, files: byAccount, deletions: byAccount }),
  },
]
