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
 * Adds the checks common to all adapters: rejects invalid arguments before the engine sees them, and every request
 * after `close`. The adapter gets keys without duplicates and parts in order, and is closed once.
 */
export const guardedFileStore = (store: FileStore): FileStore => {
  let closed: Promise<void> | undefined
  const enter = () => {
    if (closed) throw new AppError('unavailable', 'The file store is closed')
  }
  return {
    prefix: store.prefix,
    spanOf: store.spanOf,
    ensure: async () => {
      enter()
      await store.ensure()
    },
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
    head: async (key) => {
      enter()
      checkKey(key)
      return store.head(key)
    },
    get: async (key, range) => {
      enter()
      checkKey(key)
      if (range) checkRange(range)
      return store.get(key, range)
    },
    list: async (listing) => {
      enter()
      checkListing(listing)
      return store.list(listing)
    },
    remove: async (keys) => {
      enter()
      checkKeys(keys)
      await store.remove([...new Set(keys)])
    },
    signPut: async (key, options) => {
      enter()
      checkKey(key)
      checkContentType(options.contentType)
      checkSigning(options)
      return store.signPut(key, options)
    },
    startMultipart: async (key, options) => {
      enter()
      checkKey(key)
      checkContentType(options.contentType)
      return store.startMultipart(key, options)
    },
    signPart: async (key, uploadId, part, options) => {
      enter()
      checkKey(key)
      checkPartNumber(part)
      checkSigning(options)
      return store.signPart(key, uploadId, part, options)
    },
    completeMultipart: async (key, uploadId, parts, options) => {
      enter()
      checkKey(key)
      checkParts(parts)
      checkSize(options?.maxBytes)
      // The response to a PUT has the etag in quotes, and clients pass it on unchanged.
      const inOrder = parts.map(({ part, etag }) => ({ part, etag: etag.replace(/^"(.*)"$/, '$1') }))
      return store.completeMultipart(
        key,
        uploadId,
        inOrder.toSorted((left, right) => left.part - right.part),
        options,
      )
    },
    multipartBytes: async (key, uploadId) => {
      enter()
      checkKey(key)
      return store.multipartBytes(key, uploadId)
    },
    abortMultipart: async (key, uploadId) => {
      enter()
      checkKey(key)
      await store.abortMultipart(key, uploadId)
    },
    openMultiparts: async (listing) => {
      enter()
      checkMultipartListing(listing)
      return store.openMultiparts(listing)
    },
    close: () => {
      closed ??= store.close()
      return closed
    },
  }
}
