import type { StoredFile } from '@cairn/domain/ports/file-store'
import { withoutQuotes } from './etag.ts'

/** Whole seconds: headers have seconds and some listings have fractions, but both must agree. */
export const toSeconds = (time: Date | undefined): number => Math.floor((time?.getTime() ?? 0) / 1_000) * 1_000

export const storedFile = (
  key: string,
  response: {
    readonly ETag?: string | undefined
    readonly ContentLength?: number | undefined
    readonly LastModified?: Date | undefined
  },
): StoredFile => ({
  key,
  sizeBytes: response.ContentLength ?? 0,
  etag: withoutQuotes(response.ETag),
  modifiedAt: toSeconds(response.LastModified),
})
