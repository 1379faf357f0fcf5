import type { ProtocolOf } from './jobs.ts'
import type { InstallationStore, OrphanStore } from './port.ts'
import { count, find, getOne, insertOne, type ReadProtocol, read, remove, updateOne } from './steps.ts'

export const installation: ProtocolOf<InstallationStore> = {
  *get(minted) {
    const stored = yield* getOne('installation: read', 'installation', 'installation')
    if (stored) return stored
    // The first version with such a record creates it, so data without one is of 0.1.
    const accounts = yield* find('installation: find accounts', 'accounts', {}, ['id'], 1, ['id'])
    const created = { id: 'installation', installationId: minted, hasLegacyKeys: accounts.length > 0 } as const
    if (yield* insertOne('installation: insert', 'installation', created)) return created
    return (yield* getOne('installation: read again', 'installation', 'installation')) ?? created
  },
}

/**
 * Whether a namespace of this id was deleted. Deletions of 0.1 are known by their record alone, as long as it is kept.
 */
export function* isRetired(namespaceId: string): ReadProtocol<boolean> {
  if (yield* getOne('namespaces: retired', 'retiredNamespaces', namespaceId)) return true
  return (yield* count('namespaces: deleted', 'deletions', { namespaceId, target: 'namespace' })) > 0
}

export const orphans: ProtocolOf<OrphanStore> = {
  get: read(function* (key) {
    return yield* getOne('orphans: get', 'orphans', key)
  }),
  page: read(function* ({ after = '', limit }) {
    return yield* find('orphans: page', 'orphans', { key: { gt: after } }, ['key'], limit)
  }),
  *recordOrphan({ key, sizeBytes }, at) {
    const updated = yield* updateOne('orphans: update', 'orphans', [key], {}, { set: { sizeBytes, lastSeenAt: at } })
    if (updated) return updated
    const orphan = { key, sizeBytes, firstSeenAt: at, lastSeenAt: at, approved: false }
    yield* insertOne('orphans: insert', 'orphans', orphan)
    return orphan
  },
  *approve(key) {
    return (yield* updateOne('orphans: approve', 'orphans', [key], {}, { set: { approved: true } })) !== undefined
  },
  *forget(before, limit) {
    const old = yield* find('orphans: find old', 'orphans', { lastSeenAt: { lt: before } }, ['lastSeenAt'], limit, [
      'key',
    ])
    const removed = yield* remove(
      'orphans: forget',
      'orphans',
      old.map(({ key }) => ({ key: [key], where: { lastSeenAt: { lt: before } } })),
    )
    return removed.filter(Boolean).length
  },
}
