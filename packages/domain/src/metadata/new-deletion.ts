import { fresh, shortTextBytes, sized } from './jobs.ts'
import { type Deletion, deletionBytesOf } from './records.ts'
import { acceptingOverdueMs } from './times.ts'

/** Returns the record of a deletion that begins at this store time. */
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
  > &
    Pick<Partial<Deletion>, 'file' | 'itemCount'>,
  at: number,
): Deletion => ({
  file: null,
  ...job,
  ...fresh(at),
  overdueAt: at + acceptingOverdueMs,
  leaseSeq: 0,
  // The size of a namespace or a file is not known here.
  ...(job.target === 'items' ? sized(deletionBytesOf(job.list.length), shortTextBytes) : {}),
  updatedAt: job.createdAt,
  itemsDone: false,
  rechecks: 0,
  removed: {},
})
