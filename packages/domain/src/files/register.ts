import { storageLimitText } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import type { Limit } from '../accounts/record.ts'
import { putReservation, quotaChecks, storedBytes } from '../accounts/storage.ts'
import { recordFileAccepted } from '../events/events.ts'
import { fresh, sized } from '../jobs/new-job.ts'
import type { StepName } from '../protocol/step-names.ts'
import {
  type ChangeOf,
  find,
  getOne,
  insertOne,
  now,
  type Protocol,
  pause,
  type ReadProtocol,
  remove,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import type { FileRecord } from './record.ts'

export type RegisterInput = Pick<
  FileRecord,
  'accountId' | 'namespaceId' | 'name' | 'idBase' | 'key' | 'object' | 'correlationId' | 'traceparent'
> & {
  /** Used if there is no record of this name yet. */
  readonly fileId: string
  /** Used if the bytes must be processed. */
  readonly version: string
  /**
   * Whether the caller has just stored the object. Only then does an object like the registered one bring metadata:
   * objects' times are whole seconds, and a file may be sent twice within one.
   */
  readonly isUpload?: boolean
  /** Maximum bytes of the account. */
  readonly limit: Limit
  /** Wall time. */
  readonly at: number
}

export type RegisterResult =
  /** `known`: exactly this object was registered before. `unchanged`: another object with the same bytes. */
  | {
      readonly outcome: 'queued' | 'known' | 'unchanged'
      readonly file: FileRecord
    }
  /** The file has failed and is not counted; its object must be removed. `stored`: bytes stored before. */
  | { readonly outcome: 'overLimit'; readonly file: FileRecord; readonly stored: number }
  /** `revoked`: the file was deleted meanwhile and must not be uploaded. */
  | { readonly outcome: 'namespaceGone' | 'revoked' }

/** Rounds before `unavailable`, when other operations keep changing the file. */
const maxAttempts = 16

/** A page or two of text, processed in a moment unless it is an image. */
const shortFileBytes = 262_144

/** Store time of a check that is never due. */
export const never = Number.MAX_SAFE_INTEGER

export const noMetadata = '{}'

export function* fileByName(step: StepName, namespaceId: string, name: string): ReadProtocol<FileRecord | undefined> {
  return (yield* find(step, 'files', { namespaceId, name }, ['id'], 1))[0]
}

const unread = (at: number) =>
  ({
    ...fresh(at),
    stage: 'waiting',
    progress: {},
    checkpoint: null,
    outcome: null,
    waitsFor: null,
    notes: [],
    times: {},
    passages: null,
    startedAt: null,
    endedAt: null,
  }) as const

/** The file keeps its metadata if none are given. */
export const withMetadata = (metadata: string | null | undefined) => (metadata == null ? {} : { metadata })

const newFile = (input: RegisterInput, metadata: string | null | undefined, at: number): FileRecord => ({
  id: input.fileId,
  accountId: input.accountId,
  namespaceId: input.namespaceId,
  name: input.name,
  idBase: input.idBase,
  key: input.key,
  object: input.object,
  version: input.version,
  options: {},
  ...withMetadata(metadata),
  state: 'queued',
  ...unread(at),
  overdueAt: at,
  leaseSeq: 0,
  ...sized(input.object.sizeBytes, shortFileBytes),
  correlationId: input.correlationId,
  traceparent: input.traceparent,
  createdAt: input.at,
  updatedAt: input.at,
  live: null,
  stale: [],
  unchangedAt: null,
})

/** Restarts the processing under another version; a worker on the former one loses its lease. */
export const restarted = (file: FileRecord, version: string, at: number, wallAt: number): ChangeOf<'files'> => ({
  set: {
    version,
    state: 'queued',
    ...unread(at),
    ...sized(file.object.sizeBytes, shortFileBytes),
    bytesRemovedAt: null,
    copiedFrom: null,
    updatedAt: wallAt,
  },
  // Unless it is published, the former version never will be.
  ...(file.live?.version === file.version || file.stale.includes(file.version)
    ? {}
    : { push: { stale: [file.version] } }),
})

/** Condition that nothing was published and no outcome decided since the file was read. */
export const decidedAs = ({ live, outcome }: FileRecord): WhereOf<'files'> => ({
  'live.version': live?.version ?? null,
  'outcome.state': outcome?.state ?? null,
})

/**
 * Gives a file other metadata, as a version of its own, which copies the chunks if the current version is published or
 * copies them too; otherwise the file is extracted.
 */
export const withOtherMetadata = (
  file: FileRecord,
  metadata: string,
  { version, at, wallAt }: { readonly version: string; readonly at: number; readonly wallAt: number },
): ChangeOf<'files'> => {
  const { set, ...rest } = restarted(file, version, at, wallAt)
  const source = file.outcome === null ? file.copiedFrom : file.version
  const copiedFrom = file.live && source === file.live.version ? source : null
  // The notes are about the extraction; a chunk that the model rejects is noted again with its copy.
  const notes = file.notes.filter(({ code }) => code !== 'chunks_refused')
  return { ...rest, set: { ...set, metadata, copiedFrom, ...(copiedFrom === null ? {} : { notes }) } }
}

/**
 * Removes the record again, and returns false, if its grant is revoked: a deletion that did not see the record yet
 * revokes the grant first.
 */
function* keepUnlessRevoked({ id, namespaceId, name, version }: FileRecord): Protocol<boolean> {
  const grant = yield* getOne('register: read grant', 'grants', namespaceId, name)
  if (grant?.state !== 'revoked') return true
  yield* remove('register: remove again', 'files', [{ key: [id], where: { version } }])
  return false
}

/**
 * Fails a version over its account's storage quota; returns undefined if it fits. The file is written before the sum is
 * read, so that files arriving together are in each other's sums. Some may fail themselves, so the bytes are withdrawn
 * for a moment and counted again before this file fails: its upload was acknowledged.
 */
function* failOverLimit(input: RegisterInput, file: FileRecord): Protocol<RegisterResult | undefined> {
  const { limit, at, name } = input
  if (limit === null) return undefined
  const { id, namespaceId, accountId, version, bytes = 0 } = file
  const where: WhereOf<'files'> = { version, outcome: null }
  for (let attempt = 1; ; attempt += 1) {
    const grant = yield* getOne('register: read reservation', 'grants', namespaceId, name)
    // The bytes reserved for this upload have arrived, so they are not counted.
    const stored = (yield* storedBytes(accountId, at)) - (putReservation(grant, at) ?? 0) - bytes
    if (stored + bytes <= limit) return undefined
    if (attempt === quotaChecks || !(yield* withdraw())) {
      const outcome = { state: 'failed', reason: 'quota_exceeded', message: storageLimitText(limit) } as const
      const set: ChangeOf<'files'>['set'] = { outcome, bytes: 0, bytesRemovedAt: at, lane: 'short', stage: 'cleaning' }
      const failed = yield* updateOne('register: over the limit', 'files', [id], where, {
        set,
        push: { stale: [version] },
      })
      return failed ? { outcome: 'overLimit', file: failed, stored } : yield* checkAgain()
    }
    if (!(yield* updateIf('register: count again', 'files', [id], where, { set: { bytes } })))
      return yield* checkAgain()
  }

  /** Returns false on an engine in which no other operation can run meanwhile. */
  function* withdraw(): Protocol<boolean> {
    yield* updateIf('register: withdraw', 'files', [id], where, { set: { bytes: 0 } })
    return yield* pause('register: pause')
  }
  /** Checks the version that a change of metadata has begun with the same bytes: nothing else would. */
  function* checkAgain(): Protocol<RegisterResult | undefined> {
    const current = yield* fileByName('register: read changed', namespaceId, name)
    if (current?.object.etag !== file.object.etag || current.outcome !== null || current.version === version)
      return undefined
    return yield* failOverLimit(input, current)
  }
}

const replacementOf = (
  file: FileRecord,
  { object, key, version, correlationId, traceparent, at: wallAt }: RegisterInput,
  at: number,
  metadata: string | null | undefined,
): ChangeOf<'files'> => {
  const { set, ...rest } = restarted({ ...file, object }, version, at, wallAt)
  const its = { object, key, options: {}, ...withMetadata(metadata), unchangedAt: null, correlationId, traceparent }
  return { ...rest, set: { ...set, ...its } }
}

/**
 * Registers an object in one record per name, however often and by whatever process the object is registered; different
 * bytes begin a new version.
 */
export function* register(input: RegisterInput): Protocol<RegisterResult> {
  const { namespaceId, name, object, at: wallAt } = input
  const at = yield* now()
  const namespace = yield* getOne('register: read namespace', 'namespaces', namespaceId)
  if (namespace?.state !== 'active') return { outcome: 'namespaceGone' }
  for (let round = 0; round < maxAttempts; round += 1) {
    const grant = yield* getOne('register: read grant', 'grants', namespaceId, name)
    const stored = yield* fileByName('register: read file', namespaceId, name)
    if (!stored) {
      const file = newFile(input, grant?.metadata, at)
      if (!(yield* insertOne('register: insert', 'files', file))) continue
      if (!(yield* keepUnlessRevoked(file))) return { outcome: 'revoked' }
      return (yield* failOverLimit(input, file)) ?? (yield* queue(file))
    }
    const isSame = stored.object.etag === object.etag && stored.object.sizeBytes === object.sizeBytes
    const hasOtherMetadata = grant?.metadata != null && grant.metadata !== (stored.metadata ?? noMetadata)
    const { etag, modifiedAt } = stored.object
    if (isSame && modifiedAt === object.modifiedAt && !(input.isUpload && hasOtherMetadata))
      return { outcome: 'known', file: stored }
    const asRead: WhereOf<'files'> = {
      version: stored.version,
      'object.etag': etag,
      'object.modifiedAt': modifiedAt,
      claimedBy: null,
    }
    // A retry of a failed file may end otherwise, so it is processed again even with equal bytes.
    const isUnchanged = isSame && stored.outcome?.state !== 'failed'
    if (isUnchanged) {
      const set = { object, unchangedAt: wallAt }
      if (hasOtherMetadata) {
        const change = withOtherMetadata(stored, grant.metadata, { version: input.version, at, wallAt })
        const { correlationId, traceparent } = input
        const changed = { ...change, set: { ...change.set, ...set, correlationId, traceparent } }
        const where = { ...asRead, ...decidedAs(stored) }
        const file = yield* updateOne('register: other metadata', 'files', [stored.id], where, changed)
        if (file) return yield* queue(file)
        continue
      }
      const file = yield* updateOne('register: unchanged', 'files', [stored.id], asRead, { set })
      if (file) return { outcome: 'unchanged', file }
      continue
    }
    const change = replacementOf(stored, input, at, grant?.metadata)
    const file = yield* updateOne('register: replace', 'files', [stored.id], asRead, change)
    if (file) return (yield* failOverLimit(input, file)) ?? (yield* queue(file))
  }
  throw new AppError('unavailable', 'Other uploads keep replacing this file; retry.', { retryAfterSeconds: 1 })

  function* queue(file: FileRecord): Protocol<RegisterResult> {
    yield* recordFileAccepted(file, wallAt)
    return { outcome: 'queued', file }
  }
}
