import { type Chunk, type FileRecord, isFileVersion } from '@cairn/domain/files/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { FileStore, MultipartPlace, StoredFile } from '@cairn/domain/ports/file-store'
import type { EmbeddingSpace, PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { Violation } from './ledger-history.ts'
import { allById, allByItem, allByKey, allByName, allPoints } from './read-all.ts'

export type FileInvariantInput = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly files: Pick<FileStore, 'prefix' | 'list' | 'openMultiparts'>
  readonly embeddingSpaceOf: (namespace: Namespace) => EmbeddingSpace
}

type Report = (message: string) => void

/** Failure reasons of files without an object. */
const withoutObject: ReadonlySet<string> = new Set(['object_missing', 'object_too_large'])

const checkOutcome = (
  report: Report,
  { state, stage, outcome, live, version, object, stale, lease }: FileRecord,
): void => {
  if (state !== 'completed' && state !== 'failed') {
    report(`is still ${state} (${stage})`)
    return
  }
  if (lease !== null) report('is held under a lease although it is final')
  if (outcome?.state !== state) report(`is ${state}, and its outcome is ${outcome?.state ?? 'none'}`)
  if (outcome?.state === 'failed' && outcome.reason === '') report('failed without a reason')
  if (stale.length > 0) report(`still lists stale versions: ${stale.join(', ')}`)
  if (state === 'completed' && live?.version !== version)
    report(`is completed as ${version}, but shown as ${live?.version ?? 'nothing'}`)
  if (state === 'completed' && live && live.etag !== object.etag)
    report(`shows what was read of ${live.etag}, its content is ${object.etag}`)
  if (state === 'completed' && live?.chunks === 0) report('is completed without a chunk')
}

const checkObject = (report: Report, { object, outcome }: FileRecord, stored: StoredFile | undefined): void => {
  const mayBeGone = outcome?.state === 'failed' && withoutObject.has(outcome.reason)
  if (!stored && !mayBeGone) report('has no object')
  if (stored && (stored.etag !== object.etag || stored.sizeBytes !== object.sizeBytes))
    report(
      `has the object ${stored.etag} of ${stored.sizeBytes} bytes, ${object.etag} of ${object.sizeBytes} was taken in`,
    )
}

/**
 * Checks that a file has no chunks of other versions than the published one, that the ids of its chunks and summaries
 * are numbered without a gap, and that each is indexed.
 */
const checkChunks = (report: Report, { live, idBase }: FileRecord, chunks: readonly Chunk[]): void => {
  const missing = new Set<string>()
  for (const [kind, count] of [['chunk', live?.chunks ?? 0] as const, ['summary', live?.summaries ?? 0] as const])
    for (let number = 0; number < count; number += 1) missing.add(`${idBase}_${kind}_${number}`)
  for (const { itemId, version, passages } of chunks) {
    if (version !== live?.version) {
      report(`has left ${itemId} of ${version}, shown is ${live?.version ?? 'nothing'}`)
      continue
    }
    if (!missing.delete(itemId))
      report(`has ${itemId}, and shows ${live.chunks} chunks and ${live.summaries} summaries`)
    if (passages === null) report(`shows ${itemId}, which is not indexed`)
  }
  if (missing.size > 0)
    report(
      `shows what is not there: ${[...missing].slice(0, 5).join(', ')}${missing.size > 5 ? ` and ${missing.size - 5} more` : ''}`,
    )
}

const checkPoints = (report: Report, chunks: readonly Chunk[], points: readonly PointAddress[]): void => {
  const missingPoints = new Map(
    chunks.map(({ itemId, version, passages }) => [
      `${version} ${itemId}`,
      new Set(Array.from({ length: passages ?? 0 }, (_, index) => index)),
    ]),
  )
  for (const { itemId, version, passage } of points) {
    if (missingPoints.get(`${version} ${itemId}`)?.delete(passage)) continue
    report(`an orphan point ${itemId}@${version}#${passage} of a file`)
  }
  for (const [chunk, missing] of missingPoints)
    if (missing.size > 0) report(`${chunk} has no points ${[...missing].join(', ')}`)
}

const checkNamespace = async (
  { store, vectors, files, embeddingSpaceOf }: FileInvariantInput,
  report: Report,
  namespace: Namespace,
  objects: Map<string, StoredFile>,
): Promise<void> => {
  const { id, name: namespaceName, accountId } = namespace
  const prefix = `${files.prefix}/${id}/${accountId}/${namespaceName}/`
  const records = await allByName((page) => store.files.page(id, page))
  const chunks = await allByItem((page) => store.chunks.page(id, page))
  const points = (await allPoints(vectors, embeddingSpaceOf(namespace), id)).filter(({ version }) =>
    isFileVersion(version),
  )
  const ofFile = Map.groupBy(chunks, ({ fileId }) => fileId)
  for (const file of records) {
    const reportFile: Report = (what) => report(`${namespaceName}/${file.name} ${what}`)
    if (file.key !== prefix + file.name) reportFile(`has the key ${file.key}`)
    checkOutcome(reportFile, file)
    checkObject(reportFile, file, objects.get(file.key))
    objects.delete(file.key)
    checkChunks(reportFile, file, ofFile.get(file.id) ?? [])
    ofFile.delete(file.id)
    const grant = await store.grants.get(id, file.name)
    if (grant?.state === 'revoked') reportFile('is there although it was deleted')
  }
  for (const [fileId, left] of ofFile) report(`${namespaceName}: ${left.length} chunks of ${fileId}, which is gone`)
  checkPoints((what) => report(`${namespaceName}: ${what}`), chunks, points)
}

/**
 * Checks I8 on an idle system, from its stores: objects and files match, and each file has one outcome. Each file has
 * exactly its published chunks, summaries and points, and nothing of other versions. Returns the violations.
 */
export const checkFiles = async (input: FileInvariantInput): Promise<Violation[]> => {
  const { store, files } = input
  const found: Violation[] = []
  const report: Report = (message) => void found.push({ invariant: 'I8', message })
  const stored = await allByKey(({ after, limit }) =>
    files.list({ prefix: '', limit, ...(after === '' ? {} : { after }) }),
  )
  const objects = new Map(stored.map((object) => [object.key, object]))
  for (const namespace of await allById((page) => store.namespaces.page(page)))
    await checkNamespace(input, report, namespace, objects)
  // The owner's marker objects are not files.
  for (const key of [`${files.prefix}/installation`, 'cairn-installation']) objects.delete(key)
  for (const key of objects.keys()) report(`the object ${key} is of no file`)
  for (let after: MultipartPlace | undefined; ; ) {
    const { uploads, next } = await files.openMultiparts({ prefix: '', limit: 1_000, ...(after ? { after } : {}) })
    for (const { key } of uploads) report(`an upload in parts of ${key} was left open`)
    if (!next) break
    after = next
  }
  return found
}
