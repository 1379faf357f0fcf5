import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
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

const pathsIn = (directory: string) => ({
  incoming: join(directory, 'incoming'),
  content: join(directory, 'content'),
  unclean: join(directory, 'unclean'),
})

/** Removes what a crash has left: incomplete and unneeded blobs. */
const cleanUp = async (
  { incoming, content, unclean }: ReturnType<typeof pathsIn>,
  isNeeded: (id: string) => boolean,
): Promise<void> => {
  await mkdir(content, { recursive: true, mode: 0o700 })
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { mode: 0o700 })
  if (!existsSync(unclean)) return
  for (const folder of await readdir(content))
    for (const id of await readdir(join(content, folder))) if (!isNeeded(id)) await rm(join(content, folder, id))
  await rm(unclean)
}

const mark = async (directory: string, unclean: string): Promise<void> => {
  await writeFile(unclean, '', { mode: 0o600 })
  await syncFolder(directory)
}

/**
 * Files with random names in 256 folders, so that no key affects a path. A blob is written in `incoming` and then moved
 * to `content`, which holds only complete ones. While the file `unclean` exists, there may be unneeded blobs. `admit`
 * is called before each chunk; if it throws, the write fails.
 */
export const createBlobFolder = (directory: string, admit: () => void = () => undefined) => {
  const paths = pathsIn(directory)
  const { incoming, content, unclean } = paths
  const folderOf = (id: string) => join(content, id.slice(0, 2))
  const pathOf = (id: string) => join(folderOf(id), id)
  const folders = new Set<string>()
  let marked: Promise<void> | undefined
  let isClean = true

  const markOnce = () => {
    marked ??= mark(directory, unclean).catch((error: unknown) => {
      marked = undefined
      throw error
    })
    return marked
  }

  const createFolder = async (path: string) => {
    if (folders.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    await syncFolder(content)
    folders.add(path)
  }

  const removeOne = (id: string) =>
    rm(pathOf(id), { force: true }).catch(() => {
      isClean = false
    })

  const putInPlace = async (path: string, id: string) => {
    await createFolder(folderOf(id))
    await rename(path, pathOf(id))
    await syncFolder(folderOf(id))
  }

  return {
    open: (isNeeded: (id: string) => boolean): Promise<void> => onDisk(() => cleanUp(paths, isNeeded)),
    /** The blob is durable when the promise resolves; a failed write leaves nothing. */
    write: async (bytes: AsyncIterable<Buffer>): Promise<Blob> => {
      const id = randomUUID()
      const path = join(incoming, id)
      const file = await onDisk(async () => {
        await markOnce()
        return open(path, 'wx', 0o600)
      })
      try {
        const written = await writeHashed(file, bytes, admit).finally(() => file.close())
        await onDisk(() => putInPlace(path, id))
        return { id, ...written }
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined)
        await removeOne(id)
        throw error
      }
    },
    /** Returns undefined if the blob is missing. A blob removed during a read stays readable to the end. */
    read: async (id: string, range: FileRange): Promise<Readable | undefined> => {
      try {
        return readBlob(await open(pathOf(id), 'r'), range)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw diskTrouble(error)
      }
    },
    remove: async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await removeOne(id)
    },
    /** The next `open` checks for unneeded blobs. */
    suspect: (): void => {
      isClean = false
    },
    close: async (): Promise<void> => {
      await marked?.catch(() => undefined)
      if (marked && isClean) await onDisk(() => rm(unclean, { force: true }))
    },
  }
}
