import type { Deletion } from '../records.ts'
import { acceptingOverdueMs, firstSweepMs } from './times.ts'

/** The record of a deletion that begins at this store time. */
export const newDeletion = (
  job: Pick<
    Deletion,
    | 'id'
    | 'accountId'
    | 'namespaceId'
    | 'namespaceName'
    | 'correlationId'
    | 'traceparent'
    | 'createdAt'
    | 'space'
    | 'target'
    | 'list'
    | 'state'
  > & { readonly file?: Deletion['file'] },
  at: number,
): Deletion => ({
  file: null,
  ...job,
  waiting: 'fresh',
  nextAttemptAt: at + firstSweepMs,
  overdueAt: at + acceptingOverdueMs,
  lease: null,
  leaseSeq: 0,
  starts: 0,
  attempts: 0,
  retries: 0,
  lastError: null,
  updatedAt: job.createdAt,
  finishedAt: null,
  itemsDone: false,
  rechecks: 0,
  removed: {},
})
