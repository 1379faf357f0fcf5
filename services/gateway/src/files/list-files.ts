import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { pagesOf } from '@cairn/contracts/flow/pages-of'
import { limits } from '@cairn/contracts/limits'
import { objectKey, openGrantIn, partsOfKey } from '@cairn/domain/files/object-keys'
import { objectsUnder } from '@cairn/domain/files/objects-under'
import type { FileRecord, Grant } from '@cairn/domain/files/record'
import type { StoredFile } from '@cairn/domain/ports/file-store'
import type { Page } from '@cairn/domain/protocol/page'
import { accountEndpoint } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import type { GatedStore, ReadableId, ReadableNamespace } from '../gate.ts'
import { iso } from '../iso.ts'
import { fileStateOf } from './file-status.ts'

const recordsAtOnce = 500
const checksAtOnce = 16

/** Other fields are not kept in memory: a file may have 100 notes. */
const summaryOf = (file: FileRecord) => ({
  state: fileStateOf(file),
  chunks: file.live?.chunks ?? 0,
  notes: file.notes.length,
})
const summaryWithoutRecord = { state: 'awaiting_upload', chunks: 0, notes: 0 } as const

const recordsByKey = async (store: GatedStore, namespaceId: ReadableId) => {
  const records = new Map<string, ReturnType<typeof summaryOf>>()
  const read = (page: Page) => store.files.page(namespaceId, page)
  for await (const page of pagesOf(recordsAtOnce, read, ({ name }) => name))
    for (const file of page) records.set(file.key, summaryOf(file))
  return records
}

/** Lists an object without a record while it may still be uploaded; otherwise it is being removed, or orphaned. */
const ownedFiles = async ({ store, files }: FilePorts, namespace: ReadableNamespace) => {
  // Objects first: if a file is deleted in the meantime, its record is gone when the records are read.
  const objects: (StoredFile & { readonly name: string })[] = []
  for await (const file of objectsUnder(files, objectKey(files, namespace, '')))
    objects.push({ ...file, name: partsOfKey(files, file.key).fileName })
  const recorded = await recordsByKey(store, namespace.id)
  const owned = await atOnce(
    checksAtOnce,
    objects,
    async ({ key }) => recorded.has(key) || (await openGrantIn(store, files, namespace.id, key)) !== undefined,
  )
  return objects.filter((_, index) => owned[index]).map((object) => ({ object, record: recorded.get(object.key) }))
}

type OpenUpload = {
  readonly file_name: string
  readonly upload_id: string | null
  readonly size: number
  readonly expires_at: string
}

/** Returns announced uploads and open multipart uploads; both count toward the account's storage. */
const openUploads = async ({ store, files, clock }: FilePorts, namespaceId: string): Promise<OpenUpload[]> => {
  const open: OpenUpload[] = []
  const viewOf = async (grant: Grant): Promise<void> => {
    const {
      name: file_name,
      key,
      uploadId: upload_id,
      expiresAt,
      reservedBytes,
      reservedUntil,
      partsBytes,
      partsUntil,
    } = grant
    const parts = upload_id === null ? undefined : await files.multipartBytes(key, upload_id)
    const now = clock.now()
    if (parts !== undefined)
      open.push({ file_name, upload_id, size: parts, expires_at: iso(expiresAt + limits.partsKeptSeconds * 1_000) })
    // The start of the multipart upload was interrupted, but its reservation still counts.
    else if (partsUntil && partsUntil > now)
      open.push({ file_name, upload_id, size: partsBytes ?? 0, expires_at: iso(partsUntil) })
    if (reservedUntil && reservedUntil > now)
      open.push({ file_name, upload_id: null, size: reservedBytes ?? 0, expires_at: iso(reservedUntil) })
  }
  const read = (page: Page) => store.grants.page(namespaceId, page)
  for await (const page of pagesOf(recordsAtOnce, read, ({ name }) => name))
    await atOnce(
      checksAtOnce,
      page.filter(({ state }) => state === 'open'),
      viewOf,
    )
  return open
}

export const listFiles = (deps: FilePorts) =>
  accountEndpoint(operations.listFiles, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const [files, uploads] = await Promise.all([ownedFiles(deps, namespace), openUploads(deps, namespace.id)])
    return {
      status: 200,
      body: {
        success: true,
        namespace: namespace.name,
        file_count: files.length,
        files: files.map(({ object, record }) => ({
          file_name: object.name,
          size: object.sizeBytes,
          last_modified: iso(object.modifiedAt),
          etag: object.etag,
          ...(record ?? summaryWithoutRecord),
        })),
        uploads,
      },
    }
  })
