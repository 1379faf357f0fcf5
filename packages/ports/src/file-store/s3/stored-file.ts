import type { StoredFile } from '../port.ts'
import { withoutQuotes } from './etag.ts'

/** Answers say seconds in headers and sometimes more in lists; an object has one time. */
export const toSeconds = (time: Date | undefined): number => Math.floor((time?.getTime() ?? 0) / 1_000) * 1_000

/** What the store says of an object, in our words. */
export const storedFile = (
  key: string,
  said: { readonly ETag?: string | undefined; readonly ContentLength?: number | undefined; readonly LastModified?: Date | undefined },
): StoredFile => ({
  key,
  sizeBytes: said.ContentLength ?? 0,
  etag: withoutQuotes(said.ETag),
  modifiedAt: toSeconds(said.LastModified),
})
