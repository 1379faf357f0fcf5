import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileRange } from '../port.ts'
import { diskTrouble, onDisk } from './disk.ts'
import { readBlob } from './read-blob.ts'

/** Content that is written and durable, under a name of its own. */
export type Blob = { readonly id: string; readonly sizeBytes: number /** SHA-256, hex. */; readonly etag: string }

export type BlobFolder = {
  /** Makes the folder where it is missing, and removes what a crash has left: half-written blobs, and those that nothing needs. */
  open(isNeeded: (id: string) => boolean): Promise<void>
  /** Durable when it resolves; what fails leaves nothing. */
  write(content: AsyncIterable<Buffer>): Promise<Blob>
  /** Undefined where there is no such blob. One that is removed while it is read stays readable to the end. */
  read(id: string, range: FileRange): Promise<Readable | undefined>
  remove(ids: readonly string[]): Promise<void>
  /** From now on what nothing needs may be here: the next `open` looks for it. */
  suspect(): void
  close(): Promise<void>
}

/** A new name, and a rename, last through a power cut once their folder is synced. */
const syncFolder = async (path: string): Promise<void> => {
  // Windows opens no folders, and NTFS keeps names by itself.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const writeAll = async (file: FileHandle, chunk: Buffer): Promise<void> => {
  // A disk that fills up takes less than it is given before it fails.
  for (let from = 0; from < chunk.length; ) from += (await file.write(chunk, from)).bytesWritten
}

const writeHashed = async (file: FileHandle, content: AsyncIterable<Buffer>, admit: () => void): Promise<Omit<Blob, 'id'>> => {
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

/**
 * Files with random names in 256 folders: no key has a say in a path. One is written in `incoming` and then moved to its folder
 * in `content`, so that whatever stands there is whole. While the file `unclean` stands, blobs may be there that nothing needs. `admit` is
 * called before each piece of content: what it throws ends the writing.
 */
export const createBlobFolder = (directory: string, admit: () => void = () => undefined): BlobFolder => {
  const incoming = join(directory, 'incoming')
  const content = join(directory, 'content')
  const unclean = join(directory, 'unclean')
  const folderOf = (id: string) => join(content, id.slice(0, 2))
  const pathOf = (id: string) => join(folderOf(id), id)
  const folders = new Set<string>()
  let marked: Promise<void> | undefined
  let isClean = true

  const mark = async () => {
    await writeFile(unclean, '', { mode: 0o600 })
    await syncFolder(directory)
  }
  const markOnce = () => {
    marked ??= mark().catch((error: unknown) => {
      marked = undefined
      throw error
    })
    return marked
  }

  const makeFolder = async (path: string) => {
    if (folders.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    await syncFolder(content)
    folders.add(path)
  }

  const removeOne = (id: string) =>
    rm(pathOf(id), { force: true }).catch(() => {
      isClean = false
    })

  const removeUnneeded = async (isNeeded: (id: string) => boolean) => {
    for (const folder of await readdir(content)) {
      for (const id of await readdir(join(content, folder))) if (!isNeeded(id)) await rm(join(content, folder, id))
    }
  }

  const putInPlace = async (path: string, id: string) => {
    await makeFolder(folderOf(id))
    await rename(path, pathOf(id))
    await syncFolder(folderOf(id))
  }

  return {
    open: (isNeeded) =>
      onDisk(async () => {
        await mkdir(content, { recursive: true, mode: 0o700 })
        await rm(incoming, { recursive: true, force: true })
        await mkdir(incoming, { mode: 0o700 })
        if (!(await readdir(directory)).includes('unclean')) return
        await removeUnneeded(isNeeded)
        await rm(unclean)
      }),
    write: async (bytes) => {
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
    read: async (id, range) => {
      try {
        return readBlob(await open(pathOf(id), 'r'), range)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw diskTrouble(error)
      }
    },
    remove: async (ids) => {
      for (const id of ids) await removeOne(id)
    },
    suspect: () => {
      isClean = false
    },
    close: async () => {
      await marked?.catch(() => undefined)
      if (marked && isClean) await onDisk(() => rm(unclean, { force: true }))
    },
  }
}
