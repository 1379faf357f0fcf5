import type { Readable } from 'node:stream'

/** `modifiedAt`: milliseconds since the epoch, by the store's clock. */
export type StoredFile = {
  readonly key: string
  readonly sizeBytes: number
  /** Opaque, without quotes; changes with the content. */
  readonly etag: string
  readonly modifiedAt: number
}

/** More than `maxBytes` is AppError `tooLarge`. */
export type SizeLimit = { readonly maxBytes?: number }

/** `put` rejects with the signal's reason. */
export type PutOptions = SizeLimit & { readonly contentType: string; readonly signal?: AbortSignal }

/** Bytes, both inclusive. Beginning after the content is AppError `invalid`; ending after it is truncated. */
export type FileRange = { readonly from: number; readonly to: number }

/** `prefix`: empty for all; `after`: exclusive; `limit`: 1 to 1,000. */
export type FileListing = { readonly prefix: string; readonly after?: string; readonly limit: number }

/** 1 to 604,800. */
export type Expiry = { readonly expiresInSeconds: number }

/** `sizeBytes`: signed as Content-Length, so the store rejects any other size. */
export type SignOptions = Expiry & { readonly contentType: string; readonly sizeBytes?: number }

/** Numbered from 1 to 10,000; each but the last has at least 5 MiB. */
export type UploadedPart = { readonly part: number; readonly etag: string }

/** Where a page begins, exclusive. Only valid, unchanged, in the store that returned it. */
export type MultipartPlace = { readonly key: string; readonly uploadId: string }

/** Neither completed nor aborted. `startedAt`: milliseconds since the epoch, by the store's clock. */
export type OpenMultipart = MultipartPlace & { readonly startedAt: number }

/** `limit` is also at least the uploads that one key may have: not every store can continue within a key. */
export type MultipartListing = Omit<FileListing, 'after'> & { readonly after?: MultipartPlace }

/** `next` is undefined on the last page. */
export type MultipartPage = { readonly uploads: readonly OpenMultipart[]; readonly next?: MultipartPlace }

/**
 * Stores objects by key.
 *
 * A key has 1 to 1,024 bytes of UTF-8. Its segments between `/` are not empty, `.` or `..`. It has no backslash,
 * control character, lone surrogate or character that XML can't represent (U+FFFE, U+FFFF). Any other key is AppError
 * `invalid`. Keys are used unchanged, without case folding or Unicode normalization.
 *
 * Stores that keep objects in files add two limits: at most 255 bytes between slashes (else perhaps `invalid`), and no
 * key that is the folder of another (of `a` and `a/b`, the second may be `conflict`, or missing in listings).
 *
 * Writes are atomic: an interrupted, aborted or rejected one leaves the previous object. They are durable and visible,
 * also in listings, when they resolve. At most a few parts are in memory. Engine failures are AppError `unavailable`.
 */
export interface FileStore {
  /** Returns the trace attributes of a call, by method. */
  spanOf(method: string): Readonly<Record<string, string>>
  /** Begins every key of this installation; no trailing slash. Installations may share a store. */
  readonly prefix: string
  /** Creates a missing bucket or folder; repeatable. */
  ensure(): Promise<void>
  /** Replaces an object. When settled, a stream has ended or is destroyed; its errors reject the promise. */
  put(key: string, source: Readable | Uint8Array, options: PutOptions): Promise<StoredFile>
  head(key: string): Promise<(StoredFile & { readonly contentType: string }) | undefined>
  /**
   * Reads an object or a range; `file` describes the whole object. Read the stream to its end or destroy it, and spool
   * the content if reading is slow: stores disconnect a client that reads nothing for half a minute (`unavailable`).
   */
  get(key: string, range?: FileRange): Promise<{ readonly file: StoredFile; readonly body: Readable } | undefined>
  /** Lists objects in the order of the keys' UTF-8 bytes. */
  list(listing: FileListing): Promise<StoredFile[]>
  /** Removes 1 to 1,000 objects; missing ones are no error. */
  remove(keys: readonly string[]): Promise<void>
  /**
   * Returns the URL of a client's own PUT, which may be sent any number of times until it expires. The store rejects
   * another method, key, Content-Type or size (403). A bearer secret: never log it.
   */
  signPut(key: string, options: SignOptions): Promise<string>
  /** Starts a multipart upload and returns its id. */
  startMultipart(key: string, options: Pick<PutOptions, 'contentType'>): Promise<string>
  signPart(key: string, uploadId: string, part: number, options: Expiry): Promise<string>
  /**
   * Completes an upload. AppError `invalid` if parts are missing, have another etag or are too small; `notFound` for an
   * unknown upload. After these the upload stays open with its parts, and an existing object is not replaced.
   */
  completeMultipart(
    key: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    limit?: SizeLimit,
  ): Promise<StoredFile>
  /** Returns the bytes of all stored parts; undefined for an unknown upload. */
  multipartBytes(key: string, uploadId: string): Promise<number | undefined>
  /** Aborts an upload; an unknown one is no error. */
  abortMultipart(key: string, uploadId: string): Promise<void>
  /**
   * Lists open uploads by key, as far as the store knows them: after a restart some stores list older uploads only if
   * the prefix is the whole key. A page before the last may have fewer than `limit`; MinIO returns all as one page.
   */
  openMultiparts(listing: MultipartListing): Promise<MultipartPage>
  /** Closes the store; idempotent. Afterwards every method rejects with `unavailable`. */
  close(): Promise<void>
}
