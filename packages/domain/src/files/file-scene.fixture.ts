import { expect } from 'vitest'
import type { Lease } from '../jobs/record.ts'
import { createScene, mint, times, wallAt } from '../protocol/scene.fixture.ts'
import type { ChunkDraft } from './chunks.ts'
import type { DeleteFileInput } from './delete-file.ts'
import { type FileRecord, fileVersionPrefix, type RegisteredObject } from './record.ts'
import type { RegisterInput } from './register.ts'

type Store = Parameters<typeof createScene>[0]

export const object = (content: string, more: Partial<RegisteredObject> = {}): RegisteredObject => ({
  etag: `etag of ${content}`,
  sizeBytes: content.length,
  modifiedAt: wallAt,
  ...more,
})

export const drafts = (base: string, from: number, to: number, kind: ChunkDraft['kind'] = 'chunk'): ChunkDraft[] =>
  times(to - from, (index) => ({
    itemId: `${base}_${kind}_${from + index}`,
    kind,
    body: { text: `${kind} ${from + index}`, metadata: '{}' },
  }))

/** Creates a namespace with files, and the pipeline's operations on them. */
export const createFileScene = async (store: Store) => {
  const scene = await createScene(store)
  const { accountId, namespaceId } = scene
  const registerInput = (name: string, content: string, more: Partial<RegisterInput> = {}): RegisterInput => ({
    fileId: mint('file'),
    version: mint(fileVersionPrefix),
    accountId,
    namespaceId,
    name,
    idBase: name,
    key: `${accountId}/name/${name}`,
    object: object(content),
    limit: null,
    correlationId: 'request-3',
    traceparent: null,
    at: wallAt,
    ...more,
  })
  const arrived = async (name: string, content = 'content', more: Partial<RegisterInput> = {}): Promise<FileRecord> => {
    const result = await store.files.register(registerInput(name, content, more))
    if (!('file' in result)) throw new Error(`not taken in: ${result.outcome}`)
    return result.file
  }
  const leased = async ({ id }: FileRecord): Promise<{ readonly file: FileRecord; readonly lease: Lease }> => {
    const token = mint('lease')
    const file = await store.files.lease(id, token)
    if (!file) throw new Error('no lease was to be had')
    return { file, lease: { jobId: id, token } }
  }
  const submit = (file: FileRecord, lease: Lease, what: readonly ChunkDraft[], by = store) =>
    by.chunks.submit({
      lease,
      uploadId: `${file.version}-${what[0]?.itemId}`,
      file: { id: file.id, version: file.version },
      drafts: what,
      checkpoint: { at: what.length },
      progress: { chunks: what.length },
      at: wallAt,
    })
  const publish = (
    file: FileRecord,
    lease: Lease,
    chunks: number,
    summaries = 0,
    limit: number | null = null,
    by = store,
    extraction = 1,
  ) => by.files.publish(lease, { version: file.version, chunks, summaries, extraction, limit })
  /** Creates a file with this number of published chunks and no work left. */
  const published = async (name: string, chunks: number, content = 'content', extraction = 1): Promise<FileRecord> => {
    const { file, lease } = await leased(await arrived(name, content))
    expect(await submit(file, lease, drafts(name, 0, chunks))).toBe(true)
    expect(await publish(file, lease, chunks, 0, null, store, extraction)).toBe('published')
    expect(await store.files.complete(lease, { times: {}, at: wallAt })).toBe(true)
    return read(name)
  }
  const read = async (name: string): Promise<FileRecord> => {
    const file = await store.files.byName(namespaceId, name)
    if (!file) throw new Error(`there is no file ${name}`)
    return file
  }
  const deleteFileInput = (name: string): DeleteFileInput => {
    const { ids: _, ...rest } = scene.deleteInput([])
    return { ...rest, name, key: `${accountId}/name/${name}` }
  }
  return { ...scene, registerInput, arrived, leased, submit, publish, published, read, deleteFileInput }
}
