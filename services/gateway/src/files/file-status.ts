import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { chunkIdPrefix } from '@cairn/contracts/documents/chunk-ids'
import { parseMetadata } from '@cairn/contracts/documents/metadata'
import { isPassing, remedyOf } from '@cairn/contracts/files/file-reasons'
import { isOutdated } from '@cairn/domain/files/extraction-version'
import {
  extractionOf,
  type FileNote,
  type FileOptions,
  type FileProgress,
  type FileRecord,
  type Grant,
} from '@cairn/domain/files/record'
import { noMetadata } from '@cairn/domain/files/register'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { ResponseBody } from '@cairn/runtime/http/endpoint'
import { secondsOf } from '@cairn/runtime/process/timings'
import { accountEndpoint } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'
import { waitFor } from '../wait-for.ts'
import { fileNameOf } from './file-name.ts'

/** States of records, as in responses. */
const fileStates = {
  accepting: 'queued',
  queued: 'queued',
  running: 'processing',
  rechecking: 'processing',
  completed: 'completed',
  failed: 'failed',
} as const

/** Never goes back: while its chunks are indexed, a file's job is queued again. */
export const fileStateOf = ({ state, startedAt }: Pick<FileRecord, 'state' | 'startedAt'>) =>
  state === 'queued' && startedAt ? 'processing' : fileStates[state]

const failureOf = ({ outcome, bytesRemovedAt }: FileRecord) => {
  if (outcome?.state !== 'failed') return { reason: null, message: null, remedy: null, retryable: false }
  const { reason, message } = outcome
  return { reason, message, remedy: remedyOf(reason), retryable: isPassing(reason) && !bytesRemovedAt }
}

/** Names the place in the fields of chunk metadata. */
const noteView = ({ code, message, at }: FileNote) => {
  if (!at) return { code, message }
  const { page, pageTitle: page_title, sheet, rows, path, offset } = at
  const place = { page, page_title, sheet, row_from: rows?.from, row_to: rows?.to, path }
  return { code, message, place: { ...place, offset_from: offset?.from, offset_to: offset?.to } }
}

const progressView = ({ page, pages, rows, bytes, chunks, summaries, indexed }: FileProgress) => ({
  page,
  pages,
  rows,
  bytes,
  chunks,
  summaries,
  indexed,
})
const optionsView = ({ ocr, languages, encoding }: FileOptions) => ({ ocr, languages, encoding })

const doneOf = ({ progress: { page, pages, bytes }, object }: FileRecord): number => {
  if (page !== undefined && pages) return Math.min(1, page / pages)
  return bytes === undefined || object.sizeBytes === 0 ? 0 : Math.min(1, bytes / object.sizeBytes)
}

type FileStatus = ResponseBody<typeof operations.getFileStatus, 200>

export const fileView = async (
  { store, clock, estimates }: Pick<FilePorts, 'store' | 'clock' | 'estimates'>,
  namespace: Namespace,
  file: FileRecord,
): Promise<FileStatus> => {
  const state = fileStateOf(file)
  const { live, object } = file
  const isFinal = state === 'completed' || state === 'failed'
  // Due times are store time; clients expect wall time.
  const dueInMs = file.state === 'queued' ? Math.max(0, file.nextAttemptAt - (await store.now())) : undefined
  return {
    file_name: file.name,
    namespace: namespace.name,
    state,
    stage: file.stage,
    progress: progressView(file.progress),
    attempts: file.leaseSeq - (file.waits ?? 0),
    ...failureOf(file),
    notes: file.notes.map(noteView),
    options: optionsView(file.options),
    metadata: parseMetadata(file.metadata ?? noMetadata),
    size: object.sizeBytes,
    etag: object.etag,
    published_etag: live?.etag ?? null,
    last_modified: iso(object.modifiedAt),
    chunks: live?.chunks ?? 0,
    chunk_id_prefix: live ? chunkIdPrefix(file.idBase) : null,
    summaries: live?.summaries ?? 0,
    passages: file.passages ?? null,
    previous_version_searchable: live !== null && live.version !== file.version,
    extraction_version: extractionOf(file),
    outdated: isOutdated(file),
    unchanged_at: isoOrNull(file.unchangedAt),
    bytes_removed_at: isoOrNull(file.bytesRemovedAt ?? null),
    upload_expires_at: null,
    created_at: iso(file.createdAt),
    updated_at: iso(file.updatedAt),
    finished_at: isoOrNull(file.finishedAt),
    estimated_completion: isoOrNull((isFinal ? undefined : await estimates.endOf('files', file, doneOf(file))) ?? null),
    next_attempt_at: isoOrNull(dueInMs === undefined ? null : clock.now() + dueInMs),
    timings: secondsOf(file.times),
  }
}

const waiting = {
  message: 'The file has not arrived yet.',
  remedy: 'Send it to the issued upload_url, with PUT and the issued Content-Type.',
}
/** A file in a form arrives completely or not at all. */
const sentAlong = {
  message: 'The file has not arrived yet.',
  remedy: 'If it is not being sent at this moment, upload it again.',
}
/** An upload begun in time may be in progress, or stored and not yet registered: a second one would be wasted. */
const expired = {
  message: 'The file has not arrived yet, and the address to send it to has expired: no new upload can begin there.',
  remedy:
    'An upload that began before is still accepted, and appears here soon after its end. If it failed or never began, request a new upload_url.',
}

const inParts = {
  message: 'The multipart upload is not completed.',
  remedy: 'Send its parts and call upload-multipart/complete, or start the upload again.',
}

const adviceOf = ({ expiresAt, createdAt, uploadId }: Grant, now: number) => {
  if (uploadId !== null) return inParts
  if (expiresAt <= createdAt) return sentAlong
  return expiresAt > now ? waiting : expired
}

const awaitedView = (grant: Grant, namespace: Namespace, now: number): FileStatus => ({
  file_name: grant.name,
  namespace: namespace.name,
  state: 'awaiting_upload',
  stage: null,
  progress: {},
  attempts: 0,
  reason: null,
  retryable: false,
  ...adviceOf(grant, now),
  notes: [],
  options: {},
  metadata: parseMetadata(grant.metadata ?? noMetadata),
  size: null,
  etag: null,
  published_etag: null,
  last_modified: null,
  chunks: 0,
  chunk_id_prefix: null,
  summaries: 0,
  passages: null,
  previous_version_searchable: false,
  extraction_version: null,
  outdated: false,
  unchanged_at: null,
  bytes_removed_at: null,
  upload_expires_at: iso(grant.expiresAt),
  created_at: iso(grant.createdAt),
  updated_at: iso(grant.createdAt),
  finished_at: null,
  estimated_completion: null,
  next_attempt_at: null,
  timings: {},
})

/** Returns the state of a file, with advice when it does not advance. */
export const getFileStatus = (deps: FilePorts) =>
  accountEndpoint(operations.getFileStatus, async (call) => {
    const { store, clock } = deps
    const { wait } = call.query()
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { name } = fileNameOf(call.params.file_name)
    const read = async () => {
      const file = await store.files.byName(namespace.id, name)
      const grant = file ? undefined : await store.grants.get(namespace.id, name)
      return { file, grant: grant?.state === 'open' ? grant : undefined }
    }
    const waiting = { seconds: wait, signal: call.signal }
    // The wait ends at once for an unknown file.
    const { file, grant } = await waitFor(
      deps,
      waiting,
      read,
      (found) => found.file?.finishedAt !== null && !found.grant,
    )
    if (file) return { status: 200, body: await fileView(deps, namespace, file) }
    if (!grant) throw notFound('file')
    return { status: 200, body: awaitedView(grant, namespace, clock.now()) }
  })
