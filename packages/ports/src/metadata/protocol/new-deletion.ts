import type { Deletion } from '../records.ts'
import { fresh } from './jobs.ts'
import { acceptingOverdueMs } from './times.ts'

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
  ...fresh(at),
  overdueAt: at + acceptingOverdueMs,
  leaseSeq: 0,
  updatedAt: job.createdAt,
  itemsDone: false,
  rechecks: 0,
  removed: {},
})
