import { adoptDeletion, removeForgotten, removeMarked } from './delete-items.ts'
import { countedAs, leaveAccount } from './entry.ts'
import { tellNamespaceDeleted } from './events.ts'
import { finish, jobs, type ProtocolOf, prune } from './jobs.ts'
import { newDeletion } from './new-deletion.ts'
import type { DeletionStore } from './port.ts'
import type { Deletion, Namespace } from './records.ts'
import { getOne, insertOne, now, type Protocol, remove, updateOne } from './steps.ts'
import { recheckAfterMs } from './times.ts'

/** See `Metadata.beginNamespaceDeletion`. */
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

/**
 * Returns the account's quota for a namespace, once per deletion: the note stays until no worker can be late any more.
 */
function* giveBack(
  step: string,
  job: Deletion,
  { id, accountId, type, itemCount }: Namespace,
  wallAt: number,
): Protocol<void> {
  const what = countedAs(type)
  // The process that created the namespace may have died before its slot was counted; afterwards nothing would record
  // that it was created.
  yield* leaveAccount('create namespace: leave account', {
    accountId,
    token: id,
    what: 'namespaces',
    reserved: 1,
    changed: 1,
  })
  yield* updateOne(
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
    ['id'],
  )
}

export const deletions: ProtocolOf<DeletionStore> = {
  ...jobs('deletions'),
  *insertOfNamespace(namespace, { space, otherSpaces, correlationId, traceparent, at: createdAt }) {
    const at = yield* now()
    const { deletionId, accountId, id: namespaceId, name: namespaceName } = namespace
    if (deletionId === null) return false
    return yield* insertOne(
      'delete namespace: record',
      'deletions',
      newDeletion(
        {
          id: deletionId,
          accountId,
          namespaceId,
          namespaceName,
          space,
          ...(otherSpaces && otherSpaces.length > 0 && { otherSpaces }),
          correlationId,
          traceparent,
          createdAt,
          target: 'namespace',
          list: [],
          itemCount: namespace.itemCount,
          state: 'queued',
        },
        at,
      ),
    )
  },
  adopt: adoptDeletion,
  *complete(lease, { removed, at }) {
    return yield* finish('deletions', lease, {
      state: 'completed',
      removed,
      updatedAt: at,
      finishedAt: at,
      endedAt: yield* now(),
    })
  },
  *releaseNamespace(lease, { removed, at: wallAt }) {
    const at = yield* now()
    const job = yield* getOne('release namespace: read job', 'deletions', lease.jobId)
    if (job?.lease?.token !== lease.token) return false
    // Before the name is free: its next namespace tells after this.
    yield* tellNamespaceDeleted(job, wallAt)
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
  *rechecked(lease, { removed, at: wallAt }) {
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
    yield* updateOne('recheck: remove record', 'accounts', [job.accountId], {}, { unset: [`noted.${job.id}`] })
    return yield* finish('deletions', lease, {
      state: 'completed',
      removed,
      rechecks,
      updatedAt: wallAt,
      finishedAt: wallAt,
    })
  },
  *removeMarked(id) {
    const deletion = yield* getOne('remove marked: read deletion', 'deletions', id)
    return deletion?.itemsDone ? yield* removeMarked(deletion) : 0
  },
  *removeForgotten(limit) {
    return yield* removeForgotten(limit)
  },
  *prune(before, limit) {
    return yield* prune('deletions', before, limit)
  },
}
