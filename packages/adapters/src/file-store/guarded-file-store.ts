import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import type { FileStore } from '@cairn/domain/ports/file-store'
import {
  checkContentType,
  checkKey,
  checkKeys,
  checkListing,
  checkMultipartListing,
  checkPartNumber,
  checkParts,
  checkPut,
  checkRange,
  checkSigning,
  checkSize,
} from './check-arguments.ts'

/**
 * Rejects invalid arguments before the engine sees them, and every request after `close`. The adapter gets keys without
 * duplicates and parts in order, and is closed once.
 */
export const guardedFileStore = (store: FileStore): FileStore => {
  let closed: Promise<void> | undefined
  const enter = () => {
    if (closed) throw new AppError('unavailable', 'The file store is closed')
  }
  const guard =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>, check: (...args: A) => void) =>
    async (...args: A): Promise<R> => {
      enter()
      check(...args)
      return run(...args)
    }
  return {
    prefix: store.prefix,
    spanOf: store.spanOf,
    ensure: guard(store.ensure, () => undefined),
    put: async (key, source, options) => {
      try {
        enter()
        checkKey(key)
        checkPut(options)
        return await store.put(key, source, options)
      } catch (error) {
        if (source instanceof Readable) source.destroy()
        throw error
      }
    },
    head: guard(store.head, checkKey),
    get: guard(store.get, (key, range) => {
      checkKey(key)
      if (range) checkRange(range)
    }),
    list: guard(store.list, checkListing),
    remove: guard((keys) => store.remove([...new Set(keys)]), checkKeys),
    signPut: guard(store.signPut, (key, options) => {
      checkKey(key)
      checkContentType(options.contentType)
      checkSigning(options)
    }),
    startMultipart: guard(store.startMultipart, (key, options) => {
      checkKey(key)
      checkContentType(options.contentType)
    }),
    signPart: guard(store.signPart, (key, _uploadId, part, options) => {
      checkKey(key)
      checkPartNumber(part)
      checkSigning(options)
    }),
    completeMultipart: guard(
      (key, uploadId, parts, options) => {
        // The response to a PUT has the etag in quotes, and clients pass it on unchanged.
        const inOrder = parts
          .map(({ part, etag }) => ({ part, etag: etag.replace(/^"(.*)"$/, '$1') }))
          .sort((left, right) => left.part - right.part)
        return store.completeMultipart(key, uploadId, inOrder, options)
      },
      (key, _uploadId, parts, options) => {
        checkKey(key)
        checkParts(parts)
        checkSize(options?.maxBytes)
      },
    ),
    multipartBytes: guard(store.multipartBytes, checkKey),
    abortMultipart: guard(store.abortMultipart, checkKey),
    openMultiparts: guard(store.openMultiparts, checkMultipartListing),
    close: () => (closed ??= store.close()),
  }
}
