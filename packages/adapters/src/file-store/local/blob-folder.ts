import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import type { FileRange } from '@cairn/domain/ports/file-store'
import { diskTrouble, onDisk } from './disk.ts'

/** Durable content under a random name. */
export type Blob = { readonly id: string; readonly sizeBytes: number /** SHA-256, hex. */; readonly etag: string }

const syncFolder = async (path: string): Promise<void> => {
  // Windows can't open folders, and NTFS makes names durable by itself.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const writeAll = async (file: FileHandle, chunk: Buffer): Promise<void> => {
  // A disk that is nearly full writes only part of a chunk before it fails.
  for (let from = 0; from < chunk.length; ) from += (await file.write(chunk, from)).bytesWritten
}

const writeHashed = async (
  file: FileHandle,
  content: AsyncIterable<Buffer>,
  admit: () => void,
): Promise<Omit<Blob, 'id'>> => {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content) {
    admit()
    hash.update(chunk)
    await onDisk(() => writeAll(file, chunk))
    sizeBytes += chunk.length
  }
  await onDisk(() => file.sync())
  return { sizeBytes, etag: hash.digest('hex') }
}

const readBytes = 256 * 1024

/** Closes the file when the stream ends or is destroyed, even unread. A truncated file is AppError `internal`. */
const readBlob = (file: FileHandle, { from, to }: FileRange): Readable => {
  let index = from
  return new Readable({
    highWaterMark: readBytes,
    read() {
      const length = Math.min(readBytes, to + 1 - index)
      if (length <= 0) {
        this.push(null)
        return
      }
      file.read(Buffer.allocUnsafe(length), 0, length, index).then(
        ({ bytesRead, buffer }) => {
          index += bytesRead
          if (bytesRead > 0) this.push(buffer.subarray(0, bytesRead))
          else this.destroy(new AppError('internal', 'The content of a stored file is truncated'))
        },
        (error: unknown) => this.destroy(diskTrouble(error)),
      )
    },
    destroy(error, done) {
      file.close().then(
        () => done(error),
        () => done(error),
      )
    },
  })
}

/**
 * Files with random names in 256 folders, so that no key affects a path. A blob is written in `incoming` and then moved
 * to `content`, which holds only complete ones. While the file `unclean` exists, there may be unneeded blobs. `admit`
 * is called before each chunk; if it throws, the write fails.
 */
export class BlobFolder {
  readonly #directory: string
  readonly #admit: () => void
  readonly #incoming: string
  readonly #content: string
  readonly #unclean: string
  readonly #folders = new Set<string>()
  #marked: Promise<void> | undefined
  #isClean = true

  constructor(directory: string, admit: () => void = () => undefined) {
    this.#directory = directory
    this.#admit = admit
    this.#incoming = join(directory, 'incoming')
    this.#content = join(directory, 'content')
    this.#unclean = join(directory, 'unclean')
  }

  /** Removes what a crash has left: incomplete and unneeded blobs. */
  open(isNeeded: (id: string) => boolean): Promise<void> {
    return onDisk(async () => {
      await mkdir(this.#content, { recursive: true, mode: 0o700 })
      await rm(this.#incoming, { recursive: true, force: true })
      await mkdir(this.#incoming, { mode: 0o700 })
      if (!(await readdir(this.#directory)).includes('unclean')) return
      await this.#removeUnneeded(isNeeded)
      await rm(this.#unclean)
    })
  }

  /** The blob is durable when the promise resolves; a failed write leaves nothing. */
  async write(bytes: AsyncIterable<Buffer>): Promise<Blob> {
    const id = randomUUID()
    const path = join(this.#incoming, id)
    const file = await onDisk(async () => {
      await this.#markOnce()
      return open(path, 'wx', 0o600)
    })
    try {
      const written = await writeHashed(file, bytes, this.#admit).finally(() => file.close())
      await onDisk(() => this.#putInPlace(path, id))
      return { id, ...written }
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined)
      await this.#removeOne(id)
      throw error
    }
  }

  /** Returns undefined if the blob is missing. A blob removed during a read stays readable to the end. */
  async read(id: string, range: FileRange): Promise<Readable | undefined> {
    try {
      return readBlob(await open(this.#pathOf(id), 'r'), range)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw diskTrouble(error)
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#removeOne(id)
  }

  /** The next `open` checks for unneeded blobs. */
  suspect(): void {
    this.#isClean = false
  }

  async close(): Promise<void> {
    await this.#marked?.catch(() => undefined)
    if (this.#marked && this.#isClean) await onDisk(() => rm(this.#unclean, { force: true }))
  }

  async #mark() {
    await writeFile(this.#unclean, '', { mode: 0o600 })
    await syncFolder(this.#directory)
  }

  #markOnce() {
    this.#marked ??= this.#mark().catch((error: unknown) => {
      this.#marked = undefined
      throw error
    })
    return this.#marked
  }

  async #createFolder(path: string) {
    if (this.#folders.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    await syncFolder(this.#content)
    this.#folders.add(path)
  }

  #removeOne(id: string) {
    return rm(this.#pathOf(id), { force: true }).catch(() => {
      this.#isClean = false
    })
  }

  async #removeUnneeded(isNeeded: (id: string) => boolean) {
    for (const folder of await readdir(this.#content)) {
      for (const id of await readdir(join(this.#content, folder)))
        if (!isNeeded(id)) await rm(join(this.#content, folder, id))
    }
  }

  async #putInPlace(path: string, id: string) {
    await this.#createFolder(this.#folderOf(id))
    await rename(path, this.#pathOf(id))
    await syncFolder(this.#folderOf(id))
  }

  #folderOf(id: string): string {
    return join(this.#content, id.slice(0, 2))
  }

  #pathOf(id: string): string {
    return join(this.#folderOf(id), id)
  }
}
