import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@cairn/contracts/errors'
import { onlyFields } from '@cairn/domain/items/documents'
import type { Clock } from '@cairn/domain/ports/clock'
import type { FileStore, PutOptions, UploadedPart } from '@cairn/domain/ports/file-store'
import { systemClock } from '../clock/system.ts'
import { checkKey, checkPartNumber } from './check-arguments.ts'
import { chooseParts } from './choose-parts.ts'
import { guardedFileStore } from './guarded-file-store.ts'
import { type Blob, createBlobFolder } from './local/blob-folder.ts'
import { onDisk } from './local/disk.ts'
import { measured } from './measured.ts'
import { type SignedPut, signedPutUrl } from './signed-put.ts'
import { type IndexedFile, type IndexedPart, openFileIndex } from './sqlite-index.ts'
import type { IndexOperation } from './sqlite-index-worker.ts'

export type LocalFileStoreOptions = {
  /**
   * Created if missing. Only one store may use it: a second one would delete files that the first is writing, as
   * leftovers of a crash.
   */
  readonly directory: string
  /** URL of the server that handles `/files/` with `signedPutsFor`; called for each signed request. */
  readonly publicUrl: () => string
  /** At least 32 bytes. A new key invalidates all signed requests. */
  readonly signingKey: Uint8Array
  /** See `FileStore`. Default `cairn`: the folder belongs to one installation. */
  readonly prefix?: string
  readonly clock?: Clock
  /** Called before each chunk is written; if it throws, the whole content is rejected. */
  readonly admit?: () => void
}

export type LocalFileStore = FileStore & {
  /** AppError `notFound` for an unknown upload id. */
  putPart(
    key: string,
    uploadId: string,
    part: number,
    source: Readable | Uint8Array,
    options: Omit<PutOptions, 'contentType'>,
  ): Promise<UploadedPart>
}

/** After this many rows, the event loop gets a turn. */
const rowsAtOnce = 100

const toStored = onlyFields(['key', 'sizeBytes', 'etag', 'modifiedAt'])
const contentOf = ({ id, sizeBytes, etag }: Blob) => ({ blob: id, sizeBytes, etag })
const noUpload = () => new AppError('notFound', 'The multipart upload does not exist')

type Index = ReturnType<typeof openFileIndex>

/** Its methods are fields, because callers spread ports. */
class LocalFiles implements LocalFileStore {
  readonly prefix: string
  readonly #options: LocalFileStoreOptions
  readonly #clock: Clock
  readonly #blobs: ReturnType<typeof createBlobFolder>
  readonly #closing = new AbortController()
  readonly #writing = new Set<Promise<unknown>>()
  #opening: Promise<Index> | undefined

  constructor(options: LocalFileStoreOptions) {
    const { directory, signingKey, prefix = 'cairn', clock = systemClock(), admit } = options
    if (signingKey.byteLength < 32) throw new AppError('internal', 'The key of signed requests has less than 32 bytes')
    this.prefix = prefix
    this.#options = options
    this.#clock = clock
    this.#blobs = createBlobFolder(directory, admit)
  }

  readonly spanOf = (method: string) => ({ 'cairn.file_store.operation': method })

  readonly ensure = async () => void (await this.#ensureOpen())

  readonly put: FileStore['put'] = (key, source, { contentType, signal: aborted, ...limits }) =>
    this.#write(async (index, signal) => {
      const blob = await this.#storeBlob(source, { ...limits, signal })
      const at = this.#clock.now()
      await this.#record(index, { kind: 'put', key, contentType, at, content: contentOf(blob) })
      return { key, sizeBytes: blob.sizeBytes, etag: blob.etag, modifiedAt: at }
    }, aborted)

  readonly head: FileStore['head'] = async (key) => {
    const file = await this.#read((index) => index.find(key))
    return file && { ...toStored(file), contentType: file.contentType }
  }

  readonly get: FileStore['get'] = async (key, range) => {
    let gone: IndexedFile | undefined
    for (;;) {
      const file = await this.#read((index) => index.find(key))
      if (!file) return undefined
      if (range && range.from >= file.sizeBytes)
        throw new AppError('invalid', 'The range starts after the end of the content')
      const last = file.sizeBytes - 1
      const body = await this.#blobs.read(
        file.blob,
        range ? { from: range.from, to: Math.min(range.to, last) } : { from: 0, to: last },
      )
      if (body) return { file: toStored(file), body }
      // The file was replaced between the two reads. If the row still names the same blob, the blob is missing.
      if (gone?.blob === file.blob) throw new AppError('internal', 'The content of a stored file is missing')
      gone = file
    }
  }

  readonly list: FileStore['list'] = async ({ prefix, after, limit }) => {
    const files: IndexedFile[] = []
    for (let from = after; ; await nextTurn()) {
      const some = Math.min(rowsAtOnce, limit - files.length)
      const rows = await this.#read((index) =>
        index.list({ prefix, limit: some, ...(from === undefined ? {} : { after: from }) }),
      )
      files.push(...rows)
      from = rows.at(-1)?.key
      if (rows.length < some || files.length === limit) return files.map(toStored)
    }
  }

  readonly remove: FileStore['remove'] = (keys) =>
    this.#write(async (index) => void (await this.#record(index, { kind: 'remove', keys })))

  readonly signPut: FileStore['signPut'] = async (key, { expiresInSeconds, ...put }) =>
    this.#sign({ key, ...put }, expiresInSeconds)

  readonly startMultipart: FileStore['startMultipart'] = (key, { contentType }) =>
    this.#write(async (index) => {
      const uploadId = randomUUID()
      await this.#record(index, { kind: 'start', uploadId, key, contentType, at: this.#clock.now() })
      return uploadId
    })

  readonly signPart: FileStore['signPart'] = async (key, id, part, { expiresInSeconds }) =>
    this.#sign({ key, upload: { id, part } }, expiresInSeconds)

  readonly completeMultipart: FileStore['completeMultipart'] = (key, uploadId, listed, options) =>
    this.#write(async (index, signal) => {
      const stored = await this.#read(() =>
        index.multipartKey(uploadId) === key ? index.partsOf(uploadId) : undefined,
      )
      if (!stored) throw noUpload()
      const blob = await this.#blobs.write(this.#contentOfParts(chooseParts(stored, listed, options), signal))
      const at = this.#clock.now()
      if (!(await this.#record(index, { kind: 'complete', uploadId, at, content: contentOf(blob) }))) throw noUpload()
      return { key, sizeBytes: blob.sizeBytes, etag: blob.etag, modifiedAt: at }
    })

  readonly multipartBytes: FileStore['multipartBytes'] = (key, uploadId) =>
    this.#read((index) => (index.multipartKey(uploadId) === key ? index.bytesOfParts(uploadId) : undefined))

  readonly abortMultipart: FileStore['abortMultipart'] = (key, uploadId) =>
    this.#write(async (index) => void (await this.#record(index, { kind: 'abort', uploadId, key })))

  readonly openMultiparts: FileStore['openMultiparts'] = (listing) => this.#read((index) => index.multiparts(listing))

  readonly putPart: LocalFileStore['putPart'] = (key, uploadId, part, source, { signal: aborted, ...limits }) =>
    this.#write(async (index, signal) => {
      if ((await this.#read(() => index.multipartKey(uploadId))) !== key) throw noUpload()
      const blob = await this.#storeBlob(source, { ...limits, signal })
      if (!(await this.#record(index, { kind: 'putPart', uploadId, part, content: contentOf(blob) }))) throw noUpload()
      return { part, etag: blob.etag }
    }, aborted)

  readonly close = async (): Promise<void> => {
    this.#closing.abort(new AppError('unavailable', 'The file store is closed'))
    await Promise.allSettled(this.#writing)
    const index = await this.#opening?.catch(() => undefined)
    if (!index) return
    await index.close()
    await this.#blobs.close()
  }

  async #read<T>(query: (index: Index) => T): Promise<T> {
    const index = await this.#ensureOpen()
    this.#closing.signal.throwIfAborted()
    return onDisk(async () => query(index))
  }

  /** `close` aborts the signal and waits. */
  async #write<T>(work: (index: Index, signal: AbortSignal) => Promise<T>, aborted?: AbortSignal): Promise<T> {
    const signal = aborted ? AbortSignal.any([aborted, this.#closing.signal]) : this.#closing.signal
    const running = this.#ensureOpen().then((index) => work(index, signal))
    this.#writing.add(running)
    try {
      return await running
    } finally {
      this.#writing.delete(running)
    }
  }

  /** Returns false if the operation's upload does not exist. */
  async #record(index: Index, operation: IndexOperation): Promise<boolean> {
    const result = await index.write(operation)
    const blob = 'content' in operation ? [operation.content.blob] : []
    if ('failed' in result) {
      // The write may still take effect, so its blob stays until the next open checks the index.
      if (result.unsettled) this.#blobs.suspect()
      else await this.#blobs.remove(blob)
      throw result.failed
    }
    await this.#blobs.remove(result.unneeded ?? blob)
    return result.unneeded !== undefined
  }

  async #storeBlob(source: Readable | Uint8Array, limits: Parameters<typeof measured>[1]): Promise<Blob> {
    const blob = await this.#blobs.write(measured(source, limits))
    if (limits.signal.aborted) await this.#blobs.remove([blob.id])
    limits.signal.throwIfAborted()
    return blob
  }

  async *#contentOfParts(parts: readonly IndexedPart[], signal: AbortSignal): AsyncGenerator<Buffer> {
    for (const { part, blob, sizeBytes } of parts) {
      const body = await this.#blobs.read(blob, { from: 0, to: sizeBytes - 1 })
      if (!body) throw new AppError('invalid', `Part ${part} was replaced or removed`)
      yield* measured(body, { signal })
    }
  }

  #sign(put: SignedPut, expiresInSeconds: number) {
    const { publicUrl, signingKey } = this.#options
    const expires = Math.ceil(this.#clock.now() / 1_000) + expiresInSeconds
    return signedPutUrl(put, { publicUrl: publicUrl(), signingKey, expires })
  }

  async #open(): Promise<Index> {
    const { directory } = this.#options
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const index = openFileIndex(join(directory, 'index.db'))
    try {
      await this.#blobs.open(index.hasBlob)
    } catch (error) {
      await index.close()
      throw error
    }
    return index
  }

  #ensureOpen(): Promise<Index> {
    this.#closing.signal.throwIfAborted()
    // The next request tries again: the cause, such as a full disk, may be gone by then.
    this.#opening ??= onDisk(() => this.#open()).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }
}

/**
 * For the one-process mode. Writes are durable when they resolve. A row of `index.db` maps each key to a file with a
 * random name, so a key can neither leave the directory nor exceed the file system's limits, and one commit replaces
 * its content. After a crash, the next start removes files without a row. Opens on first use.
 */
export const localFileStore = (options: LocalFileStoreOptions): LocalFileStore => {
  const files = new LocalFiles(options)
  return {
    ...guardedFileStore(files),
    putPart: async (key, uploadId, part, source, limits) => {
      try {
        checkKey(key)
        checkPartNumber(part)
        return await files.putPart(key, uploadId, part, source, limits)
      } catch (error) {
        if (source instanceof Readable) source.destroy()
        throw error
      }
    },
  }
}
