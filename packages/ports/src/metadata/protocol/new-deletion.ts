import type { Deletion } from '../records.ts'
import { fresh, shortTextBytes, sized } from './jobs.ts'
import { acceptingOverdueMs } from './times.ts'

/** Of one item that is deleted: what its points cost to remove, about. */
const bytesPerItem = 100

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
  // What a namespace or a file holds is not known here.
  ...(job.target === 'items' ? sized(job.list.length * bytesPerItem, shortTextBytes) : {}),
  updatedAt: job.createdAt,
  itemsDone: false,
  rechecks: 0,
  removed: {},
})
