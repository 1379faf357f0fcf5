import { AppError } from '@cairn/contracts/errors'
import { countedAs, passedItems, settleFor, withEntry } from '../accounts/entry.ts'
import { shownCount } from '../accounts/record.ts'
import { recordDeleted } from '../events/events.ts'
import { decideFileDeletion, removeClaimed } from '../files/delete-file.ts'
import { awaitsAdoption, isDue, takenOver } from '../jobs/jobs.ts'
import type { Namespace } from '../namespaces/record.ts'
import type { StepName } from '../protocol/step-names.ts'
import {
  find,
  get,
  getOne,
  guarded,
  insertOne,
  now,
  type Protocol,
  type ReadProtocol,
  type RemovalOf,
  remove,
  update,
  updateIf,
  updateOne,
} from '../protocol/steps.ts'
import { leaseMs } from '../protocol/times.ts'
import { isPresent, mayReplace, present } from './item-marks.ts'
import { type DeletionInput, newDeletion } from './new-deletion.ts'
import type { DeletedVersion, Deletion, Item } from './record.ts'

export type DeleteItemsInput = DeletionInput & {
  readonly ids: readonly string[]
  /** Versions by id: only items that still have theirs are removed. */
  readonly versions?: ReadonlyMap<string, string>
}

export type DeleteItemsResult =
  /** `deletion` is undefined when no item had one of the ids. */
  | {
      readonly outcome: 'deleted'
      readonly deleted: readonly string[]
      readonly remaining: number
      readonly deletion: Deletion | undefined
    }
  | { readonly outcome: 'namespaceGone' }

const maxAttempts = 64

const listedFields = ['id', 'version', 'status', 'indexed', 'stale'] as const
const asRead = (item: Pick<Item, 'id' | 'version' | 'indexed' | 'stale'>): DeletedVersion => ({
  id: item.id,
  version: item.version,
  indexedVersion: item.indexed?.version ?? null,
  stale: item.stale,
})

function* readListed(step: StepName, namespaceId: string, ids: readonly string[]): ReadProtocol<DeletedVersion[]> {
  const items = yield* get(
    step,
    'items',
    ids.map((id) => [namespaceId, id]),
    listedFields,
  )
  return items.flatMap((item) => (item && isPresent(item) ? [asRead(item)] : []))
}

/** Returns for each listed version whether it was marked. */
function* markRemoved(
  step: StepName,
  namespaceId: string,
  deletionId: string,
  listed: readonly DeletedVersion[],
): Protocol<boolean[]> {
  const marked = yield* update(
    step,
    'items',
    listed.map(({ id, version }) => ({
      key: [namespaceId, id],
      where: { version, ...present },
      change: { set: { status: 'removed', removedBy: deletionId } },
    })),
    ['id'],
  )
  return marked.map((item) => item !== undefined)
}

/** Removes items of the listed versions; reads and lists changed ones again, unless versions were given. */
function* removeItems(input: DeleteItemsInput, listed: readonly DeletedVersion[]): Protocol<string[]> {
  const { namespaceId, deletionId } = input
  const gone: string[] = []
  let waiting = listed
  for (let round = 0; waiting.length > 0; round += 1) {
    if (round === maxAttempts)
      throw new AppError('unavailable', 'Other requests keep changing the same ids; retry.', { retryAfterSeconds: 1 })
    const removed = yield* markRemoved('delete: remove items', namespaceId, deletionId, waiting)
    const lost = waiting.filter((_, index) => !removed[index])
    gone.push(...waiting.filter((_, index) => removed[index]).map(({ id }) => id))
    if (lost.length === 0 || input.versions) break
    // Only the live request may read again, and must: after its response the ids must be gone from searches, whoever
    // wrote them meanwhile.
    const ids = lost.map(({ id }) => id)
    waiting = yield* guarded(readListed('delete: read moved items', namespaceId, ids))
    if (waiting.length === 0) break
    const noted = yield* updateIf(
      'delete: list moved items',
      'deletions',
      [deletionId],
      { state: 'accepting' },
      { push: { list: waiting } },
    )
    if (!noted) throw takenOver()
  }
  return gone
}

const deletedOf = ({ type }: Pick<Namespace, 'type'>) => (type === 'text' ? 'document.deleted' : 'vector.deleted')

/** Rejects with AppError `unavailable` when other operations keep changing the ids. */
export function* deleteItems(input: DeleteItemsInput): Protocol<DeleteItemsResult> {
  const { accountId, namespaceId, deletionId: token } = input
  const at = yield* now()
  const namespace = yield* getOne('delete: read namespace', 'namespaces', namespaceId)
  if (namespace?.state !== 'active') return { outcome: 'namespaceGone' }
  const { versions } = input
  const listed = yield* guarded(readListed('delete: read items', namespaceId, input.ids))
  const list = versions ? listed.filter(({ id, version }) => versions.get(id) === version) : listed
  if (list.length === 0)
    return { outcome: 'deleted', deleted: [], remaining: shownCount(namespace.itemCount), deletion: undefined }
  const what = countedAs(namespace.type)
  const entry = { accountId, namespaceId, token, what, amount: 0, limit: null, by: 'deletion' as const }
  const entered = yield* withEntry('delete', at, entry, function* (pass) {
    const job = newDeletion(input, { target: 'items', list, state: 'accepting' }, at)
    if (!(yield* insertOne('delete: record', 'deletions', job)))
      return { result: undefined, reserved: 0, changed: 0, passed: null }
    const deleted = yield* removeItems(input, list)
    const changed = -deleted.length
    const set = { state: 'queued', itemsDone: true, changed }
    const deletion = yield* updateOne('delete: queue', 'deletions', [token], { state: 'accepting' }, { set })
    if (!deletion) throw takenOver()
    const passed = passedItems(pass, deleted)
    const meanwhile = recordDeleted(deletion, { type: deletedOf(namespace), ids: deleted }, input.at, {
      isFirst: true,
    })
    return { result: { deleted, deletion }, reserved: 0, changed, passed: passed === null ? null : -passed, meanwhile }
  })
  // Only a limit makes an account reject an entry, and deletions have none.
  if (entered.outcome !== 'left') return { outcome: 'namespaceGone' }
  if (!entered.result) throw new AppError('conflict', 'A deletion of this id exists.')
  const { deleted } = entered.result
  return {
    outcome: 'deleted',
    ...entered.result,
    remaining: shownCount(entered.remaining ?? namespace.itemCount - deleted.length),
  }
}

/** Marks the listed items not marked yet, and returns the change of the item count (zero or negative) by all marks. */
function* decideItemsDeletion({ id, namespaceId, list }: Deletion): Protocol<number> {
  const [namespace] = yield* get('take over deletion: read namespace', 'namespaces', [[namespaceId]], ['state'])
  if (namespace?.state === 'active') yield* markRemoved('take over deletion: remove items', namespaceId, id, list)
  const keys = [...new Set(list.map((item) => item.id))].map((item) => [namespaceId, item])
  const items = yield* get('take over deletion: read items', 'items', keys, ['status', 'removedBy'])
  return -items.filter((item) => item && !isPresent(item) && item.removedBy === id).length
}

/**
 * Takes over a deletion by id: an overdue `accepting` one, or a due one whose last worker did not finish this step.
 * Removes listed items of unchanged version, records the change of the counts (`itemsDone`) and applies it; `lease`
 * does not count before. Never reads versions again. Undefined: it can't be taken over. The entries still exist: only
 * the process that decides the change removes them.
 */
export function* takeOverDeletion(id: string, token: string): Protocol<Deletion | undefined> {
  const at = yield* now()
  const job = yield* getOne('take over deletion: read', 'deletions', id)
  if (!job) return undefined
  const due = job.state === 'accepting' ? job.overdueAt <= at : awaitsAdoption(job) && isDue(job, at)
  if (!due) return undefined
  const mine = yield* updateOne(
    'take over deletion: take',
    'deletions',
    [id],
    { state: job.state, leaseSeq: job.leaseSeq },
    {
      set: { state: 'running', lease: { token, until: at + leaseMs }, nextAttemptAt: at + leaseMs, startedAt: at },
      inc: { leaseSeq: 1, starts: 1 },
    },
  )
  if (!mine) return undefined
  const changed = mine.target === 'file' ? yield* decideFileDeletion(mine) : yield* decideItemsDeletion(mine)
  const decided = yield* updateOne(
    'take over deletion: items done',
    'deletions',
    [id],
    { state: 'running', 'lease.token': token },
    { set: { itemsDone: true, changed } },
  )
  if (!decided) return undefined
  yield* settleFor('take over deletion', {
    accountId: mine.accountId,
    namespaceId: mine.namespaceId,
    token: id,
    changed,
  })
  return decided
}

/**
 * Removes marked items, or the claimed file. Returns the number of marks that must stay because the upload that
 * inserted the item is not counted yet.
 */
export function* removeMarked(deletion: Deletion): Protocol<number> {
  const { id, namespaceId, list, file, createdAt } = deletion
  if (file) {
    if (file.id !== null) yield* recordDeleted(deletion, { type: 'file.deleted', ids: [file.name] }, createdAt)
    yield* removeClaimed(deletion)
    return 0
  }
  const ids = [...new Set(list.map((item) => item.id))]
  const items = yield* get(
    'remove marked: read',
    'items',
    ids.map((item) => [namespaceId, item]),
    ['status', 'insertedBy', 'removedBy'],
  )
  const marked = ids.flatMap((item, index) => {
    const found = items[index]
    // Its change is decided, so its own marks are no longer needed as evidence.
    return found && !isPresent(found) && found.removedBy === id ? [{ item, uploaded: { ...found, removedBy: '' } }] : []
  })
  if (marked.length === 0) return 0
  const [namespace] = yield* get('remove marked: read namespace', 'namespaces', [[namespaceId]], ['type'])
  // The request may have died before recording the event.
  if (namespace) {
    const ids = marked.map(({ item }) => item)
    yield* recordDeleted(deletion, { type: deletedOf(namespace), ids }, createdAt)
  }
  const isFree = yield* mayReplace(namespaceId)
  const free = marked.filter(({ uploaded }) => isFree(uploaded))
  yield* remove(
    'remove marked',
    'items',
    free.map(({ item }) => ({ key: [namespaceId, item], where: { status: 'removed', removedBy: id } })),
  )
  return marked.length - free.length
}

/** Removes marked items whose deletion is final or gone: a request presumed dead marked them afterwards. */
export function* removeForgotten(limit: number): Protocol<number> {
  const fields = ['namespaceId', 'id', 'insertedBy', 'removedBy'] as const
  const items = yield* find('remove forgotten: find', 'items', { status: 'removed' }, ['updatedAt'], limit, fields)
  let removed = 0
  for (const item of items) {
    const { namespaceId, id, removedBy } = item
    const [deletion] =
      removedBy === undefined
        ? []
        : yield* get('remove forgotten: read deletion', 'deletions', [[removedBy]], ['state'])
    if (deletion && deletion.state !== 'completed') continue
    const isFree = yield* mayReplace(namespaceId)
    if (!isFree(item)) continue
    const target: RemovalOf<'items'> = {
      key: [namespaceId, id],
      where: { status: 'removed', removedBy: removedBy ?? null },
    }
    removed += (yield* remove('remove forgotten', 'items', [target])).filter(Boolean).length
  }
  return removed
}
