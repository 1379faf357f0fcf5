import { countedAs, leaveAccount } from '../accounts/entry.ts'
import { recordNamespaceDeleted } from '../events/events.ts'
import { finish, jobs, prune } from '../jobs/jobs.ts'
import type { Lease } from '../jobs/record.ts'
import type { Namespace } from '../namespaces/record.ts'
import type { StepName } from '../protocol/step-names.ts'
import { getOne, insertOne, now, type Protocol, remove, updateIf, updateOne } from '../protocol/steps.ts'
import { recheckAfterMs } from '../protocol/times.ts'
import { removeForgotten, removeMarked, takeOverDeletion } from './delete-items.ts'
import { type DeletionInput, newDeletion } from './new-deletion.ts'
import type { Deletion } from './record.ts'

/**
 * Commits the deletion of a namespace, which is invisible from now on. Undefined: it was not active. `estimatedAt`:
 * wall time of the expected end.
 */
export function* beginNamespaceDeletion(
  namespaceId: string,
  deletionId: string,
  wallAt: number,
  estimatedAt: number | null = null,
): Protocol<Namespace | undefined> {
  return yield* updateOne(
    'delete namespace: mark',
    'namespaces',
    [namespaceId],
    { state: 'active' },
    {
      set: { state: 'deleting', deletionId, deletionStartedAt: wallAt, deletionEstimatedAt: estimatedAt },
    },
  )
}

/** Releases a namespace's quota once: the note in the account stays until no late worker can exist. */
function* giveBack(
  step: StepName,
  job: Deletion,
  { id, accountId, type, itemCount }: Namespace,
  wallAt: number,
): Protocol<void> {
  const what = countedAs(type)
  // Its creator may have died before the slot was counted; after the removal nothing would record the creation.
  yield* leaveAccount('create namespace: leave account', {
    accountId,
    token: id,
    what: 'namespaces',
    reserved: 1,
    changed: 1,
  })
  yield* updateIf(
    step,
    'accounts',
    [job.accountId],
    { [`noted.${job.id}`]: null },
    {
      set: { [`noted.${job.id}`]: wallAt },
      inc: {
        [`counts.${what}`]: -itemCount,
        [`held.${what}`]: -itemCount,
        'counts.namespaces': -1,
        'held.namespaces': -1,
        seq: 1,
      },
    },
  )
}

type Removal = {
  readonly removed: Deletion['removed']
  /** Wall time. */
  readonly at: number
}

export const deletions = {
  ...jobs<Deletion>('deletions'),
  /** Returns false when the record exists. */
  *insertOfNamespace(
    { id: namespaceId, name: namespaceName, accountId, deletionId, itemCount }: Namespace,
    {
      otherSpaces = [],
      ...context
    }: Pick<DeletionInput, 'space' | 'correlationId' | 'traceparent' | 'at'> & Pick<Partial<Deletion>, 'otherSpaces'>,
  ): Protocol<boolean> {
    if (deletionId === null) return false
    const input = { ...context, deletionId, accountId, namespaceId, namespaceName }
    const others = otherSpaces.length > 0 ? { otherSpaces } : {}
    const job = { target: 'namespace', list: [], itemCount, state: 'queued', ...others } as const
    return yield* insertOne('delete namespace: record', 'deletions', newDeletion(input, job, yield* now()))
  },
  takeOver: takeOverDeletion,
  *complete(lease: Lease, { removed, at }: Removal): Protocol<boolean> {
    return yield* finish('deletions', lease, {
      state: 'completed',
      removed,
      updatedAt: at,
      finishedAt: at,
      endedAt: yield* now(),
    })
  },
  /** Releases the quota (once), frees the name by removing the record, starts the re-checks. False: lease lost. */
  *releaseNamespace(lease: Lease, { removed, at: wallAt }: Removal): Protocol<boolean> {
    const at = yield* now()
    const job = yield* getOne('release namespace: read job', 'deletions', lease.jobId)
    if (job?.lease?.token !== lease.token) return false
    // Recorded before the name is free, so that events of the next namespace of this name follow.
    yield* recordNamespaceDeleted(job, wallAt)
    const namespace = yield* getOne('release namespace: read', 'namespaces', job.namespaceId)
    if (namespace?.deletionId === job.id) {
      yield* giveBack('release namespace: give back', job, namespace, wallAt)
      const retired = { id: namespace.id, accountId: job.accountId, at: wallAt }
      yield* insertOne('release namespace: retire the id', 'retiredNamespaces', retired)
      yield* remove('release namespace: free the name', 'namespaces', [
        { key: [namespace.id], where: { deletionId: job.id } },
      ])
    }
    return yield* finish('deletions', lease, {
      state: 'rechecking',
      removed,
      updatedAt: wallAt,
      endedAt: at,
      starts: 0,
      attempts: 0,
      retries: 0,
      nextAttemptAt: at + recheckAfterMs[0],
    })
  },
  /** The last re-check completes the deletion and removes its note from the account. */
  *rechecked(lease: Lease, { removed, at: wallAt }: Removal): Protocol<boolean> {
    const at = yield* now()
    const job = yield* getOne('recheck: read job', 'deletions', lease.jobId)
    if (job?.lease?.token !== lease.token) return false
    const rechecks = job.rechecks + 1
    const nextMs = recheckAfterMs[rechecks]
    if (nextMs !== undefined)
      return yield* finish('deletions', lease, {
        removed,
        rechecks,
        updatedAt: wallAt,
        starts: 0,
        retries: 0,
        nextAttemptAt: at + nextMs,
      })
    yield* updateIf('recheck: remove record', 'accounts', [job.accountId], {}, { unset: [`noted.${job.id}`] })
    return yield* finish('deletions', lease, {
      state: 'completed',
      removed,
      rechecks,
      updatedAt: wallAt,
      finishedAt: wallAt,
    })
  },
  /** Does nothing before the deletion is decided. */
  *removeMarked(id: string): Protocol<number> {
    const deletion = yield* getOne('remove marked: read deletion', 'deletions', id)
    return deletion?.itemsDone ? yield* removeMarked(deletion) : 0
  },
  removeForgotten,
  prune: (before: number, limit: number) => prune('deletions', before, limit),
}
