import type { Account, ApiKey, DailyUsage, Usage } from '../accounts/record.ts'
import type { EventCounter, EventRecord } from '../events/record.ts'
import type { Chunk, FileRecord, Grant, Installation, Orphan } from '../files/record.ts'
import type { Deletion, IndexJob, StoredItem } from '../items/record.ts'
import type { RepeatableRequest, Task } from '../jobs/record.ts'
import type { Evaluation, ModelProbe, Namespace, RetiredNamespace } from '../namespaces/record.ts'

export type Documents = {
  accounts: Account
  apiKeys: ApiKey
  namespaces: Namespace
  items: StoredItem
  uploads: IndexJob
  files: FileRecord
  chunks: Chunk
  grants: Grant
  deletions: Deletion
  usage: Usage
  dailyUsage: DailyUsage
  installation: Installation
  retiredNamespaces: RetiredNamespace
  orphans: Orphan
  tasks: Task
  modelProbes: ModelProbe
  repeatableRequests: RepeatableRequest
  events: EventRecord
  eventCounters: EventCounter
  evaluations: Evaluation
}
export type Collection = keyof Documents

/**
 * Key fields in order, unique fields and indexes. Conditions of `find`, `count` and `sum` may name only these fields,
 * and only these are summed.
 */
export const collections: {
  readonly [C in Collection]: {
    readonly key: readonly string[]
    readonly unique?: readonly string[]
    readonly indexes: readonly (readonly string[])[]
  }
} = {
  accounts: { key: ['id'], indexes: [['reservationCount']] },
  apiKeys: { key: ['id'], indexes: [['accountId', 'id']] },
  namespaces: {
    key: ['id'],
    unique: ['accountId', 'name'],
    indexes: [
      ['openCount'],
      ['state', 'id'],
      ['accountId', 'state', 'name'],
      ['reindexPhase', 'id'],
      ['reextractionId'],
    ],
  },
  items: { key: ['namespaceId', 'id'], indexes: [['status', 'updatedAt']] },
  uploads: {
    key: ['id'],
    indexes: [
      ['state', 'nextAttemptAt'],
      ['state', 'lane', 'accountId', 'namespaceId', 'nextAttemptAt'],
      ['state', 'createdAt'],
      ['state', 'updatedAt'],
      ['namespaceId', 'id'],
    ],
  },
  files: {
    key: ['id'],
    unique: ['namespaceId', 'name'],
    indexes: [
      ['state', 'nextAttemptAt'],
      ['state', 'lane', 'accountId', 'namespaceId', 'nextAttemptAt'],
      ['state', 'createdAt'],
      ['namespaceId', 'id'],
      ['namespaceId', 'idBase'],
      ['accountId', 'bytes'],
    ],
  },
  chunks: {
    key: ['id'],
    indexes: [
      ['namespaceId', 'itemId'],
      ['version', 'id'],
    ],
  },
  grants: {
    key: ['namespaceId', 'name'],
    indexes: [
      ['nextLookAt'],
      ['namespaceId', 'expiresAt'],
      ['accountId', 'reservedUntil', 'reservedBytes'],
      ['accountId', 'partsUntil', 'partsBytes'],
    ],
  },
  deletions: {
    key: ['id'],
    indexes: [
      ['state', 'nextAttemptAt'],
      ['state', 'lane', 'accountId', 'namespaceId', 'nextAttemptAt'],
      ['state', 'createdAt'],
      ['state', 'updatedAt'],
      ['namespaceId', 'target', 'id'],
    ],
  },
  usage: { key: ['accountId', 'period'], indexes: [] },
  dailyUsage: { key: ['accountId', 'entry'], indexes: [['day']] },
  installation: { key: ['id'], indexes: [] },
  retiredNamespaces: { key: ['id'], indexes: [] },
  orphans: { key: ['key'], indexes: [['lastSeenAt']] },
  tasks: { key: ['name'], indexes: [] },
  modelProbes: { key: ['id'], indexes: [] },
  repeatableRequests: { key: ['owner', 'key'], indexes: [['expiresAt']] },
  events: { key: ['id'], unique: ['accountId', 'seq'], indexes: [['namespaceId', 'seq'], ['at']] },
  eventCounters: { key: ['accountId'], indexes: [] },
  evaluations: { key: ['namespaceId', 'id'], indexes: [] },
}
