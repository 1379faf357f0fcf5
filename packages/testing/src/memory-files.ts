import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError } from '@cairn/contracts/errors'
import type { FileStore, StoredFile } from '@cairn/domain/ports/file-store'

type Kept = { readonly file: StoredFile; readonly contentType: string; readonly bytes: Buffer }

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * Creates a file store in memory for tests of code that uses a store. It has no signed requests and no multipart
 * uploads. `now` returns milliseconds.
 */
export const memoryFiles = (now: () => number = Date.now): FileStore => {
  const kept = new Map<string, Kept>()
  const unsupported = async (): Promise<never> => {
    throw new AppError('invalid', 'memory gives no signed requests')
  }
  return {
    prefix: 'cairn',
    spanOf: () => ({}),
    ensure: async () => undefined,
    put: async (key, source, { contentType }) => {
      const bytes = source instanceof Readable ? await buffer(source) : Buffer.from(source)
      const etag = createHash('md5').update(bytes).digest('hex')
      const file = { key, sizeBytes: bytes.length, etag, modifiedAt: now() }
      kept.set(key, { file, contentType, bytes })
      return file
    },
    head: async (key) => {
      const found = kept.get(key)
      return found && { ...found.file, contentType: found.contentType }
    },
    get: async (key, range) => {
      const found = kept.get(key)
      if (!found) return undefined
      const bytes = range ? found.bytes.subarray(range.from, range.to + 1) : found.bytes
      return { file: found.file, body: Readable.from([bytes]) }
    },
    list: async ({ prefix, after, limit }) =>
      [...kept.values()]
        .map(({ file }) => file)
        .filter(({ key }) => key.startsWith(prefix) && (after === undefined || byBytes(key, after) > 0))
        .sort((a, b) => byBytes(a.key, b.key))
        .slice(0, limit),
    remove: async (keys) => {
      for (const key of keys) kept.delete(key)
    },
    signPut: unsupported,
    startMultipart: unsupported,
    signPart: unsupported,
    completeMultipart: unsupported,
    multipartBytes: async () => undefined,
    abortMultipart: async () => undefined,
    openMultiparts: async () => ({ uploads: [] }),
    close: async () => undefined,
  }
}
