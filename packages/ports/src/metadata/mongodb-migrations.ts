import type { Db, IndexDescription } from 'mongodb'
import type { Migration, Say } from '../schema/migrations.ts'

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

const filesAtOnce = 500

/** Files of 0.1 say their size of the object alone. Those that a process of 0.1 writes after this count once they are replaced. */
const fillBytes = async (db: Db, say: Say): Promise<void> => {
  const files = db.collection<{ _id: string; bytes?: number; object: { sizeBytes: number } }>('files')
  for (let after = '', filled = 0; ; ) {
    const some = await files
      .find(
        { _id: { $gt: after }, bytes: { $exists: false } },
        { projection: { 'object.sizeBytes': 1 }, sort: { _id: 1 }, limit: filesAtOnce },
      )
      .toArray()
    const last = some.at(-1)
    if (!last) return
    await files.bulkWrite(
      some.map(({ _id, object: { sizeBytes: bytes } }) => ({
        updateOne: { filter: { _id, bytes: { $exists: false } }, update: { $set: { bytes } } },
      })),
      { ordered: false },
    )
    filled += some.length
    after = last._id
    say(`sizes of ${filled} files noted`)
  }
}

/** What is stored in MongoDB, step by step. */
export const mongodbMigrations: readonly Migration<Db>[] = [
  { number: 1, name: 'indexes of 0.1.0', apply: (db) => createIndexes(db, indexesOf010) },
  { number: 2, name: 'owners of objects', apply: (db) => createIndexes(db, { orphans: ['lastSeenAt'] }) },
  {
    number: 3,
    name: 'order of accounts',
    apply: (db) => createIndexes(db, { uploads: byAccount, files: byAccount, deletions: byAccount }),
  },
  {
    number: 4,
    name: 'storage of accounts',
    apply: async (db, say) => {
      await fillBytes(db, say)
      await createIndexes(db, {
        files: ['accountId bytes'],
        grants: ['accountId reservedUntil reservedBytes', 'accountId partsUntil partsBytes'],
      })
    },
  },
]
