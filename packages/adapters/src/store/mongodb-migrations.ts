import type { Db, IndexDescription } from 'mongodb'
import type { Log, Migration } from '../schema/migrations.ts'
import { addedFields, lexemesOfForm1, modelsOfNamespace, refuseUnfinished } from './form-1.ts'

/** Field names by collection, separated by spaces, after `unique:` for a unique index. `_id` is the whole key. */
type Indexes = Readonly<Record<string, readonly string[]>>

const described = (index: string): IndexDescription => {
  const isUnique = index.startsWith('unique:')
  const fields = index.replace('unique:', '').split(' ')
  const key = Object.fromEntries(fields.map((field) => [field, 1]))
  const name = fields.map((field) => (field === '_id' ? 'id' : field)).join('_')
  return isUnique ? { name: `unique_${name}`, key, unique: true } : { name: `by_${name}`, key }
}

/** An existing index of the same name on other fields is an error. */
const createIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, all] of Object.entries(indexes))
    await db.collection(collection).createIndexes(all.map(described))
}

/**
 * The index on `_id` serves look-ups, pages and counts by key and rejects the second insert of a document.
 * - `unique_…` reject, for example, the second namespace with the same account and name.
 * - `by_…` enforce nothing: sweeps (due, open, reserving, old), listings and counts by namespace read only what they
 *   return; results are sorted by the last field.
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

/** Finds due jobs with one look-up per account. */
const byAccount = ['state lane accountId namespaceId nextAttemptAt']

const filesAtOnce = 500

/** Files that a process of 0.1 writes later have no `bytes` until they are replaced. */
const fillBytes = async (db: Db, log: Log): Promise<void> => {
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
    log(`sizes of ${filled} files noted`)
  }
}

/**
 * Only items that are processing or removed, which the sweeps look for: an index of all items would cost memory for
 * each item, and two writes per upload. Queries of the previous version use these indexes too.
 */
const indexItemsUnderWay = async (db: Db): Promise<void> => {
  const items = db.collection('items')
  await items.createIndexes(
    ['processing', 'removed'].map((status) => ({
      name: `by_updatedAt_${status}`,
      key: { updatedAt: 1 },
      partialFilterExpression: { status },
    })),
  )
  const ofAll = 'by_status_updatedAt'
  const isThere = async () => (await items.listIndexes().toArray()).some(({ name }) => name === ofAll)
  if (!(await isThere())) return
  // Another process that applies this step may drop it first.
  await items.dropIndex(ofAll).catch(async (error: unknown) => {
    if (await isThere()) throw error
  })
}

const indexNamespacesWith = async (db: Db, field: string, ...others: readonly string[]): Promise<void> => {
  const fields = [field, ...others]
  await db.collection('namespaces').createIndexes([
    {
      name: `by_${fields.map((each) => (each === '_id' ? 'id' : each)).join('_')}`,
      key: Object.fromEntries(fields.map((each) => [each, 1])),
      // A query uses the index only if its condition implies this one.
      partialFilterExpression: { [field]: { $gt: '' } },
    },
  ])
}

const withoutNamespace = async (db: Db, collection: string, where: object): Promise<number> => {
  const all = db.collection<{ key: string; namespaceId: string }>(collection)
  let found = 0
  for await (const { key, namespaceId } of all.find(where, { projection: { key: 1, namespaceId: 1 } }))
    if (!key.includes(`/${namespaceId}/`)) found += 1
  return found
}

const refuseOlder = async (db: Db): Promise<void> => {
  const active = (...either: object[]) => db.collection('namespaces').countDocuments({ state: 'active', $or: either })
  refuseUnfinished({
    points: await active(
      { hasFields: null },
      { type: 'text', lexemes: null },
      { type: 'text', lexemes: { $lt: lexemesOfForm1 } },
    ),
    models: await active(...modelsOfNamespace.map((at) => ({ [`${at}.provider`]: 'local', [`${at}.weights`]: null }))),
    keys: (await withoutNamespace(db, 'files', {})) + (await withoutNamespace(db, 'grants', { state: 'open' })),
  })
}

const fillFields = async (db: Db, log: Log): Promise<void> => {
  for (const [collection, fields] of Object.entries(addedFields))
    for (const [path, value] of Object.entries(fields)) {
      const parent = path.split('.').slice(0, -1).join('.')
      const where = { [path]: { $exists: false }, ...(parent && { [parent]: { $ne: null } }) }
      const { modifiedCount } = await db.collection(collection).updateMany(where, { $set: { [path]: value } })
      if (modifiedCount > 0) log(`${collection}: ${path} of ${modifiedCount} records written`)
    }
  await fillBytes(db, log)
}

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
    apply: async (db, log) => {
      await fillBytes(db, log)
      await createIndexes(db, {
        files: ['accountId bytes'],
        grants: ['accountId reservedUntil reservedBytes', 'accountId partsUntil partsBytes'],
      })
    },
  },
  { number: 5, name: 'items under way', apply: indexItemsUnderWay },
  { number: 6, name: 'reindexing of namespaces', apply: (db) => indexNamespacesWith(db, 'reindexPhase', '_id') },
  {
    number: 7,
    name: 'idempotency keys',
    apply: (db) => createIndexes(db, { repeatableRequests: ['expiresAt'] }),
  },
  {
    number: 8,
    name: 'events',
    apply: (db) => createIndexes(db, { events: ['unique:accountId seq', 'namespaceId seq', 'at'] }),
  },
  { number: 9, name: 'daily usage', apply: (db) => createIndexes(db, { dailyUsage: ['day'] }) },
  { number: 10, name: 're-extraction of namespaces', apply: (db) => indexNamespacesWith(db, 'reextractionId') },
  {
    number: 11,
    name: 'no dead letters',
    // The previous version may still write to the collection, which no version reads as work.
    apply: async (db) => void (await db.collection('deadLetters').deleteMany({})),
  },
  { number: 12, name: 'form 1', check: refuseOlder, apply: fillFields },
]
