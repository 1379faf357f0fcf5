import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@cairn/contracts/errors'
import type { FileStore, StoredFile } from '@cairn/domain/ports/file-store'

/** Enough for 5 GB on a slow link. The store client ends a stream that stalls. */
export const spoolWithinMs = 2 * 3_600_000

export type Spooled = {
  readonly file: StoredFile
  readonly path: string
  /** Idempotent. */
  remove(): Promise<void>
}

/**
 * Parsers seek, and a store disconnects a client that reads nothing for half a minute. Resolves to undefined if the
 * object does not exist. A full disk or a broken stream is `unavailable` and leaves no file.
 */
export const spool = async (
  files: FileStore,
  key: string,
  scratch: string,
  signal: AbortSignal,
): Promise<Spooled | undefined> => {
  const found = await files.get(key)
  if (!found) return undefined
  await mkdir(scratch, { recursive: true })
  const path = join(scratch, randomUUID())
  const remove = () => rm(path, { force: true })
  try {
    await pipeline(found.body, createWriteStream(path, { mode: 0o600 }), { signal })
    return { file: found.file, path, remove }
  } catch (error) {
    await remove()
    signal.throwIfAborted()
    throw new AppError(
      'unavailable',
      `the file could not be fetched: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    )
  }
}
