import { AppError } from '@cairn/contracts/errors'
import type { DeleteItemsInput, DeleteItemsResult } from '../port.ts'
import type { DeletedVersion, Deletion, Item } from '../records.ts'
import { removeListedFile } from './delete-file.ts'
import { countedAs, enterAccount, enterNamespace, leaveAccount, leaveNamespace } from './entry.ts'
import { awaitsAdoption, isDue, overtaken } from './jobs.ts'
import { newDeletion } from './new-deletion.ts'
import { get, getOne, insertOne, now, remove, type Steps, updateOne } from './steps.ts'
import { leaseMs } from './times.ts'

/** As many as an upload has. */
const rounds = 64

const listedFields = ['id', 'version', 'indexed', 'stale'] as const
const asRead = (item: Pick<Item, (typeof listedFields)[number]>): DeletedVersion => ({
  id: item.id,
  version: item.version,
  indexedVersion: item.indexed?.version ?? null,
  stale: item.stale,
})

/** Removes each item whose version is the listed one; the others are read again and listed anew. */
function* removeItems(input: DeleteItemsInput, listed: readonly DeletedVersion[]): Steps<string[]> {
  const { namespaceId, deletionId } = input
  const gone: string[] = []
  let waiting = listed
  for (let round = 0; waiting.length > 0; round += 1) {
    if (round === rounds)
      throw new AppError('unavailable', 'Other requests keep changing the same ids; try again.', { retryAfterSeconds: 1 })
    const removed = yield* remove(
      'delete: remove items',
      'items',
      waiting.map(({ id, version }) => ({ key: [namespaceId, id], where: { version } })),
    )
    const lost = waiting.filter((_, index) => !removed[index])
    gone.push(...waiting.filter((_, index) => removed[index]).map(({ id }) => id))
    if (lost.length === 0) break
    // Only the live request may read again, and it must: what it answers for has to be gone from search, whoever wrote it meanwhile.
    const moved = yield* get(
      'delete: read moved items',
      'items',
      lost.map(({ id }) => [namespaceId, id]),
      listedFields,
    )
    waiting = moved.flatMap((item) => (item ? [asRead(item)] : []))
    if (waiting.length === 0) break
    const noted = yield* updateOne(
      'delete: list moved items',
      'deletions',
      [deletionId],
      { state: 'accepting' },
      { push: { list: waiting } },
    )
    if (!noted) throw overtaken()
  }
  return gone
}

/** See `Metadata.deleteItems`. */
export function* deleteItems(input: DeleteItemsInput): Steps<DeleteItemsResult> {
  const { accountId, namespaceId, deletionId: token } = input
  const at = yield* now()
  const namespace = yield* getOne('delete: read namespace', 'namespaces', namespaceId)
  if (namespace?.state !== 'active') return { outcome: 'namespaceGone' }
  const items = yield* get(
    'delete: read items',
    'items',
    input.ids.map((id) => [namespaceId, id]),
    listedFields,
  )
  const list = items.flatMap((item) => (item ? [asRead(item)] : []))
  if (list.length === 0) return { outcome: 'deleted', deleted: [], remaining: namespace.itemCount, deletion: undefined }
  const what = countedAs(namespace.type)
  yield* enterAccount('delete: enter account', at, { accountId, token, what, amount: 0, limit: null })
  if (!(yield* enterNamespace('delete: enter namespace', at, namespaceId, token))) {
    yield* leaveAccount('delete: leave account unused', { accountId, token, what, reserved: 0, changed: 0 })
    return { outcome: 'namespaceGone' }
  }
  const { namespaceName, space, correlationId, traceparent } = input
  const job = newDeletion(
    {
      id: token,
      accountId,
      namespaceId,
      namespaceName,
      space,
      correlationId,
      traceparent,
      createdAt: input.at,
      target: 'items',
      list,
      state: 'accepting',
    },
    at,
  )
  if (!(yield* insertOne('delete: record', 'deletions', job))) throw new AppError('conflict', 'A deletion of this id exists.')
  const deleted = yield* removeItems(input, list)
  const deletion = yield* updateOne(
    'delete: queue',
    'deletions',
    [token],
    { state: 'accepting' },
    { set: { state: 'queued', itemsDone: true } },
  )
  if (!deletion) throw overtaken()
  const left = yield* leaveNamespace('delete: leave namespace', namespaceId, token, -deleted.length)
  yield* leaveAccount('delete: leave account', { accountId, token, what, reserved: 0, changed: -deleted.length })
  return { outcome: 'deleted', deleted, remaining: left?.itemCount ?? Math.max(0, namespace.itemCount - deleted.length), deletion }
}

/** See `DeletionStore.adopt`: enters both lists under its own token before it removes items, so that no recount misses it. */
export function* adoptDeletion(id: string, token: string): Steps<Deletion | undefined> {
  const at = yield* now()
  const job = yield* getOne('adopt deletion: read', 'deletions', id)
  if (!job) return undefined
  const due = job.state === 'accepting' ? job.overdueAt <= at : awaitsAdoption(job) && isDue(job, at)
  if (!due) return undefined
  const mine = yield* updateOne(
    'adopt deletion: take',
    'deletions',
    [id],
    { state: job.state, leaseSeq: job.leaseSeq },
    { set: { state: 'running', lease: { token, until: at + leaseMs }, nextAttemptAt: at + leaseMs }, inc: { leaseSeq: 1, starts: 1 } },
  )
  if (!mine) return undefined
  const namespace = yield* getOne('adopt deletion: read namespace', 'namespaces', job.namespaceId)
  if (namespace?.state === 'active') {
    const { accountId, namespaceId } = job
    const what = countedAs(namespace.type)
    yield* enterAccount('adopt deletion: enter account', at, { accountId, token, what, amount: 0, limit: null })
    let removed = 0
    if (yield* enterNamespace('adopt deletion: enter namespace', at, namespaceId, token)) {
      const gone = yield* remove(
        'adopt deletion: remove items',
        'items',
        mine.list.map((item) => ({ key: [namespaceId, item.id], where: { version: item.version } })),
      )
      removed = gone.filter(Boolean).length - (yield* removeListedFile(mine))
      yield* leaveNamespace('adopt deletion: leave namespace', namespaceId, token, -removed)
    }
    yield* leaveAccount('adopt deletion: leave account', { accountId, token, what, reserved: 0, changed: -removed })
  }
  return yield* updateOne(
    'adopt deletion: items done',
    'deletions',
    [id],
    { state: 'running', 'lease.token': token },
    { set: { itemsDone: true } },
  )
}
