import { AppError } from '@cairn/contracts/errors'
import type { DeleteFileInput, DeleteFileResult } from '../port.ts'
import { type DeletedFile, type Deletion, type FileRecord, seenOf } from '../records.ts'
import { enterAccount, enterNamespace, leaveAccount, leaveNamespace } from './entry.ts'
import { fileByName } from './files.ts'
import { overtaken } from './jobs.ts'
import { newDeletion } from './new-deletion.ts'
import { getOne, insertOne, now, remove, type Steps, updateOne } from './steps.ts'

const rounds = 16

const asListed = (name: string, key: string, file: FileRecord | undefined): DeletedFile => ({
  id: file?.id ?? null,
  name,
  key,
  versions: file ? [...new Set([file.version, ...(file.live ? [file.live.version] : []), ...file.stale])] : [],
})

/** Removes the record as it was listed; one that moved meanwhile is listed anew, so that no version of it is forgotten. */
function* removeRecord(input: DeleteFileInput, listed: FileRecord | undefined): Steps<FileRecord | undefined> {
  let file = listed
  for (let round = 0; file; round += 1) {
    if (round === rounds) throw new AppError('unavailable', 'The file keeps being replaced; try again.', { retryAfterSeconds: 1 })
    const asRead = { version: file.version, 'live.version': file.live?.version ?? null }
    const [gone] = yield* remove('delete file: remove record', 'files', [{ key: [file.id], where: asRead }])
    if (gone) return file
    file = yield* fileByName('delete file: read again', input.namespaceId, input.name)
    const noted = yield* updateOne(
      'delete file: list again',
      'deletions',
      [input.deletionId],
      { state: 'accepting' },
      { set: { file: asListed(input.name, input.key, file) } },
      ['id'],
    )
    if (!noted) throw overtaken()
  }
  return undefined
}

/** See `Metadata.deleteFile`. */
export function* deleteFile(input: DeleteFileInput): Steps<DeleteFileResult> {
  const { accountId, namespaceId, namespaceName, deletionId: token, name, key, space, correlationId, traceparent } = input
  const at = yield* now()
  const entry = { accountId, token, what: 'documents' as const }
  yield* enterAccount('delete file: enter account', at, { ...entry, amount: 0, limit: null })
  if (!(yield* enterNamespace('delete file: enter namespace', at, namespaceId, token))) {
    yield* leaveAccount('delete file: leave account unused', { ...entry, reserved: 0, changed: 0 })
    return { outcome: 'namespaceGone' }
  }
  // First: what arrives from here on is not taken in.
  yield* updateOne(
    'delete file: revoke grant',
    'grants',
    [namespaceId, name],
    {},
    { set: { state: 'revoked', seen: null, nextLookAt: at } },
  )
  const listed = yield* fileByName('delete file: read', namespaceId, name)
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
      target: 'file',
      file: asListed(name, key, listed),
      list: [],
      state: 'accepting',
    },
    at,
  )
  if (!(yield* insertOne('delete file: record', 'deletions', job))) throw new AppError('conflict', 'A deletion of this id exists.')
  const file = yield* removeRecord(input, listed)
  const deletion = yield* updateOne(
    'delete file: queue',
    'deletions',
    [token],
    { state: 'accepting' },
    { set: { state: 'queued', itemsDone: true } },
  )
  if (!deletion) throw overtaken()
  const changed = -seenOf(file)
  yield* leaveNamespace('delete file: leave namespace', namespaceId, token, changed)
  yield* leaveAccount('delete file: leave account', { ...entry, reserved: 0, changed })
  return { outcome: 'deleted', file, deletion }
}

/** What `adoptDeletion` does for a file, under its own entry: the record as listed goes. Gives what the count changes by. */
export function* removeListedFile({ file: listed }: Deletion): Steps<number> {
  if (listed?.id == null) return 0
  const file = yield* getOne('adopt deletion: read file', 'files', listed.id)
  // One that moved since was brought again: this deletion never saw it.
  if (!file || !listed.versions.includes(file.version)) return 0
  const asRead = { version: file.version, 'live.version': file.live?.version ?? null }
  const [gone] = yield* remove('adopt deletion: remove file', 'files', [{ key: [file.id], where: asRead }])
  return gone ? -seenOf(file) : 0
}
