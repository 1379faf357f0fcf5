import { fresh, shortTextBytes, sized } from '../jobs/new-job.ts'
import { acceptingOverdueMs } from '../protocol/times.ts'
import { type Deletion, deletionBytesOf } from './record.ts'

export type DeletionInput = Pick<
  Deletion,
  'accountId' | 'namespaceId' | 'namespaceName' | 'space' | 'correlationId' | 'traceparent'
> & {
  readonly deletionId: string
  /** Wall time. */
  readonly at: number
}

/** `at`: store time. */
export const newDeletion = (
  input: DeletionInput,
  job: Pick<Deletion, 'target' | 'list' | 'state'> & Pick<Partial<Deletion>, 'file' | 'itemCount' | 'otherSpaces'>,
  at: number,
): Deletion => ({
  id: input.deletionId,
  accountId: input.accountId,
  namespaceId: input.namespaceId,
  namespaceName: input.namespaceName,
  space: input.space,
  correlationId: input.correlationId,
  traceparent: input.traceparent,
  createdAt: input.at,
  updatedAt: input.at,
  file: null,
  ...job,
  ...fresh(at),
  overdueAt: at + acceptingOverdueMs,
  leaseSeq: 0,
  // The size of a namespace or a file is not known here.
  ...(job.target === 'items' ? sized(deletionBytesOf(job.list.length), shortTextBytes) : {}),
  itemsDone: false,
  rechecks: 0,
  removed: {},
})
