import { AppError } from '@cairn/contracts/errors'
import { passedFile, settlePublished, withEntry } from '../accounts/entry.ts'
import { recordDeleted } from '../events/events.ts'
import { type DeletionInput, newDeletion } from '../items/new-deletion.ts'
import type { DeletedFile, Deletion } from '../items/record.ts'
import { takenOver } from '../jobs/jobs.ts'
import {
  type ChangeOf,
  getOne,
  insertOne,
  now,
  type Protocol,
  remove,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import { type FileRecord, publishedCount } from './record.ts'
import { fileByName } from './register.ts'

export type DeleteFileInput = DeletionInput & {
  readonly name: string
  readonly key: string
}

/** `file` is undefined when there was no record. */
export type DeleteFileResult =
  | { readonly outcome: 'deleted'; readonly file: FileRecord | undefined; readonly deletion: Deletion }
  | { readonly outcome: 'namespaceGone' }

const rounds = 16

const asListed = (name: string, key: string, file: FileRecord | undefined): DeletedFile => ({
  id: file?.id ?? null,
  name,
  key,
  versions: file ? [...new Set([file.version, ...(file.live ? [file.live.version] : []), ...file.stale])] : [],
})

const asClaimed = (file: FileRecord): WhereOf<'files'> => ({
  version: file.version,
  'live.version': file.live?.version ?? null,
  claimedBy: null,
})

/** Decides for the deletion that has claimed the record, and removes it: a dead deletion must not keep the file. */
function* finishClaim({ id, live, claimedBy }: FileRecord): Protocol<void> {
  if (claimedBy === undefined) return
  yield* updateIf(
    'delete file: decide for another',
    'deletions',
    [claimedBy],
    { itemsDone: false },
    {
      set: { state: 'queued', lease: null, itemsDone: true, changed: -publishedCount({ live }) },
      inc: { leaseSeq: 1 },
    },
  )
  yield* remove('delete file: remove record', 'files', [{ key: [id], where: { claimedBy } }])
}

/**
 * Claims the record as listed, so that it no longer changes; lists a changed record again, so that no version is
 * missed. The claim precedes the decision and the removal follows it: an existing record holds the facts for the
 * decision.
 */
function* claimRecord(input: DeleteFileInput, listed: FileRecord | undefined): Protocol<FileRecord | undefined> {
  let file = listed
  for (let round = 0; file; round += 1) {
    if (round === rounds)
      throw new AppError('unavailable', 'The file keeps being replaced; retry.', { retryAfterSeconds: 1 })
    yield* settlePublished(file)
    yield* finishClaim(file)
    const claim: ChangeOf<'files'> = { set: { claimedBy: input.deletionId } }
    if (yield* updateIf('delete file: claim record', 'files', [file.id], asClaimed(file), claim)) return file
    file = yield* fileByName('delete file: read again', input.namespaceId, input.name)
    const noted = yield* updateIf(
      'delete file: list again',
      'deletions',
      [input.deletionId],
      { state: 'accepting' },
      { set: { file: asListed(input.name, input.key, file) } },
    )
    if (!noted) throw takenOver()
  }
  return undefined
}

/**
 * Removes a file's record and grant at once, in any state, and records what must follow: object, chunks, points.
 * AppError `unavailable` when the file keeps being replaced.
 */
export function* deleteFile(input: DeleteFileInput): Protocol<DeleteFileResult> {
  const { accountId, namespaceId, deletionId: token, name, key } = input
  const at = yield* now()
  const entry = { accountId, namespaceId, token, what: 'documents', amount: 0, limit: null, by: 'deletion' } as const
  const entered = yield* withEntry('delete file', at, entry, function* (pass) {
    // First, so that objects that arrive from now on are not registered.
    yield* updateIf(
      'delete file: revoke grant',
      'grants',
      [namespaceId, name],
      {},
      { set: { state: 'revoked', seen: null, reservedUntil: null, partsUntil: null, nextLookAt: at } },
    )
    const listed = yield* fileByName('delete file: read', namespaceId, name)
    const job = newDeletion(
      input,
      { target: 'file', file: asListed(name, key, listed), list: [], state: 'accepting' },
      at,
    )
    if (!(yield* insertOne('delete file: record', 'deletions', job)))
      return { result: undefined, reserved: 0, changed: 0, passed: null }
    const file = yield* claimRecord(input, listed)
    const changed = -publishedCount(file)
    const set = { state: 'queued', itemsDone: true, changed }
    const deletion =
      (yield* updateOne('delete file: queue', 'deletions', [token], { state: 'accepting' }, { set })) ??
      (yield* decidedMeanwhile(token))
    if (file) yield* remove('delete file: remove record', 'files', [{ key: [file.id], where: { claimedBy: token } }])
    const passed = passedFile(pass, name, changed)
    const meanwhile = recordDeleted(deletion, { type: 'file.deleted', ids: file ? [name] : [] }, input.at, {
      isFirst: true,
    })
    return { result: { file, deletion }, reserved: 0, changed, passed, meanwhile }
  })
  // Only a limit makes an account reject an entry, and deletions have none.
  if (entered.outcome !== 'left') return { outcome: 'namespaceGone' }
  if (!entered.result) throw new AppError('conflict', 'A deletion of this id exists.')
  return { outcome: 'deleted', ...entered.result }
}

/** Returns the record if another deletion of the file has decided for this one; throws if a sweep has taken it over. */
function* decidedMeanwhile(token: string): Protocol<Deletion> {
  const deletion = yield* getOne('delete file: decided meanwhile', 'deletions', token)
  if (!deletion?.itemsDone) throw takenOver()
  return deletion
}

/** Decides how a deletion that was taken over of a file changes the counts, and claims the listed record. */
export function* decideFileDeletion({ id, file: listed }: Deletion): Protocol<number> {
  if (listed?.id == null) return 0
  const file = yield* getOne('take over deletion: read file', 'files', listed.id)
  // A record that changed later is of a new upload, which this deletion never listed.
  if (!file || (file.claimedBy !== id && !listed.versions.includes(file.version))) return 0
  if (file.claimedBy === id) return -publishedCount(file)
  if (file.claimedBy !== undefined) return 0
  yield* settlePublished(file)
  const claimed = yield* updateIf('take over deletion: claim file', 'files', [file.id], asClaimed(file), {
    set: { claimedBy: id },
  })
  return claimed ? -publishedCount(file) : 0
}

/** Requires that the change is decided. */
export function* removeClaimed({ id, file }: Pick<Deletion, 'id' | 'file'>): Protocol<void> {
  if (file?.id != null) yield* remove('remove claimed file', 'files', [{ key: [file.id], where: { claimedBy: id } }])
}
