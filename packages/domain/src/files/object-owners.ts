import type { Page } from '../protocol/page.ts'
import {
  count,
  find,
  getOne,
  insertOne,
  type Protocol,
  type ReadProtocol,
  read,
  removeFound,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import type { Installation, Orphan } from './record.ts'

export const installation = {
  /** Returns the identity of this database for the object store; the first call creates it as `minted`. */
  *get(minted: string): Protocol<Installation> {
    const stored = yield* getOne('installation: read', 'installation', 'installation')
    if (stored) return stored
    const created = { id: 'installation', installationId: minted } as const
    if (yield* insertOne('installation: insert', 'installation', created)) return created
    return (yield* getOne('installation: read again', 'installation', 'installation')) ?? created
  },
}

/** Whether a namespace of this id was deleted. */
export function* isRetired(namespaceId: string): ReadProtocol<boolean> {
  if (yield* getOne('namespaces: retired', 'retiredNamespaces', namespaceId)) return true
  return (yield* count('namespaces: deleted', 'deletions', { namespaceId, target: 'namespace' })) > 0
}

/** Objects that the sweep found without a record in this database. */
export const orphans = {
  get: read((key: string) => getOne('orphans: get', 'orphans', key)),
  page: read(({ after = '', limit }: Page) => find('orphans: page', 'orphans', { key: { gt: after } }, ['key'], limit)),
  /** Records that the object existed at `at` (wall time). */
  *recordOrphan({ key, sizeBytes }: Pick<Orphan, 'key' | 'sizeBytes'>, at: number): Protocol<Orphan> {
    const updated = yield* updateOne('orphans: update', 'orphans', [key], {}, { set: { sizeBytes, lastSeenAt: at } })
    if (updated) return updated
    const orphan = { key, sizeBytes, firstSeenAt: at, lastSeenAt: at, approved: false }
    yield* insertOne('orphans: insert', 'orphans', orphan)
    return orphan
  },
  /** Lets the next sweep remove it; false: no such record. */
  approve: (key: string) => updateIf('orphans: approve', 'orphans', [key], {}, { set: { approved: true } }),
  /** Removes up to `limit` records of objects last found before this wall time: gone, or recorded by now. */
  *forget(before: number, limit: number): Protocol<number> {
    const where: WhereOf<'orphans'> = { lastSeenAt: { lt: before } }
    const old = find('orphans: find old', 'orphans', where, ['lastSeenAt'], limit, ['key'])
    return yield* removeFound('orphans: forget', 'orphans', old, where)
  },
}
