import type { Readable } from 'node:stream'

/** Properties of a stored object. */
export type StoredFile = {
  readonly key: string
  readonly sizeBytes: number
  /** Opaque, without quotes; changes with the content. */
  readonly etag: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly modifiedAt: number
}

export type PutOptions = {
  readonly contentType: string
  /** Size of the source, if known; a different number of bytes is AppError `invalid`. */
  readonly sizeBytes?: number
  /** Maximum size; more bytes are AppError `tooLarge`. */
  readonly maxBytes?: number
  /** When aborted, `put` rejects with its reason. */
  readonly signal?: AbortSignal
}

/**
 * Bytes `from` to `to`, both inclusive. A range that begins after the content is AppError `invalid`; one that ends
 * after it is truncated.
 */
export type FileRange = { readonly from: number; readonly to: number }

export type FileListing = {
  /** The prefix of the keys to list; empty for all. */
  readonly prefix: string
  /** Exclusive. */
  readonly after?: string
  /** 1 to 1,000. */
  readonly limit: number
}

/**
 * A request that its holder may send any number of times until it expires. The request is a bearer secret: never log
 * it.
 */
export type SignedRequest = {
  readonly method: 'PUT'
  readonly url: string
  /** Headers to send unchanged. */
  readonly headers: Readonly<Record<string, string>>
}

export type SignOptions = {
  readonly contentType: string
  /** 1 to 604,800. */
  readonly expiresInSeconds: number
  /** Signed as Content-Length, so that the store rejects any other size. */
  readonly sizeBytes?: number
}

/** A part of a multipart upload. Parts are numbered from 1 to 10,000; each but the last has at least 5 MiB. */
export type UploadedPart = { readonly part: number; readonly etag: string }

export type CompleteOptions = {
  /** Maximum size of all parts together; more bytes are AppError `tooLarge`. */
  readonly maxBytes?: number
}

/** A multipart upload that is neither completed nor aborted. */
export type OpenMultipart = {
  readonly key: string
  readonly uploadId: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly startedAt: number
}

/**
 * Position of an upload in a listing; the page begins after it. Only valid, unchanged, in the store that returned it.
 */
export type MultipartPlace = Pick<OpenMultipart, 'key' | 'uploadId'>

export type MultipartListing = {
  /** The prefix of the keys to list; empty for all. */
  readonly prefix: string
  /** `next` of the previous page. */
  readonly after?: MultipartPlace
  /**
   * 1 to 1,000, and at least the number of uploads that one key may have: not every store can continue in the middle of
   * a key.
   */
  readonly limit: number
}

export type MultipartPage = {
  readonly uploads: readonly OpenMultipart[]
  /** Undefined on the last page. */
  readonly next?: MultipartPlace
}

/**
 * Stores objects by key.
 *
 * A key has 1 to 1,024 bytes of UTF-8. Its segments between `/` must not be empty, `.` or `..`. It has no backslash,
 * control characters, lone surrogates or characters that XML can't represent (U+FFFE, U+FFFF). Any other key is
 * AppError `invalid`, and nothing is read or written. Keys are used unchanged, without case folding or Unicode
 * normalization.
 *
 * Callers must respect two limits of stores that keep objects in files: at most 255 bytes between slashes (more may be
 * `invalid`), and no key that is the folder of another. Of `a` and `a/b`, the second may be a `conflict`, or it may be
 * stored but missing in every listing, as in MinIO.
 *
 * Writes are atomic: an interrupted, aborted or rejected write leaves nothing, and the previous object stays. A write
 * is durable and visible, also in listings, when it resolves. At most a few parts are held in memory. Engine failures
 * are AppError `unavailable`.
 */
export interface FileStore {
  /** Attributes of a call's trace span, by the method's name. */
  spanOf(method: string): Readonly<Record<string, string>>
  /**
   * Prefix of every key of this installation, without the trailing slash; installations with different prefixes may
   * share a store.
   */
  readonly prefix: string
  /** Creates the bucket or folder if it is missing; may run any number of times. */
  ensure(): Promise<void>
  /**
   * Stores an object, replacing any object with the same key. When the promise settles, a stream has ended or is
   * destroyed; errors of the stream reject the promise.
   */
  put(key: string, source: Readable | Uint8Array, options: PutOptions): Promise<StoredFile>
  head(key: string): Promise<(StoredFile & { readonly contentType: string }) | undefined>
  /**
   * Reads an object, or a range of it; `file` describes the whole object in both cases. The caller must read the stream
   * to its end or destroy it, and spool the content if reading is slow: stores disconnect a client that reads
   * nothing for half a minute (`unavailable`).
   */
  get(key: string, range?: FileRange): Promise<{ readonly file: StoredFile; readonly body: Readable } | undefined>
  /** Lists objects in the order of the keys' UTF-8 bytes. */
  list(listing: FileListing): Promise<StoredFile[]>
  /** Removes 1 to 1,000 objects; missing ones are no error. */
  remove(keys: readonly string[]): Promise<void>
  /**
   * Signs a request for a client that uploads the object itself. The store rejects another method, key, Content-Type or
   * size (403).
   */
  signPut(key: string, options: SignOptions): Promise<SignedRequest>
  /** Starts a multipart upload and returns its upload id. */
  startMultipart(key: string, options: { readonly contentType: string }): Promise<string>
  signPart(
    key: string,
    uploadId: string,
    part: number,
    options: Omit<SignOptions, 'contentType'>,
  ): Promise<SignedRequest>
  /**
   * Completes a multipart upload. AppError `invalid` if parts are missing, have another etag or are too small;
   * `notFound` for an unknown upload id. After these errors nothing has changed: the upload stays open with its parts,
   * and an object with the same key is not replaced.
   */
  completeMultipart(
    key: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    options?: CompleteOptions,
  ): Promise<StoredFile>
  /** Returns the bytes of all stored parts; undefined for an unknown upload. */
  multipartBytes(key: string, uploadId: string): Promise<number | undefined>
  /** Aborts a multipart upload; an unknown one is no error. */
  abortMultipart(key: string, uploadId: string): Promise<void>
  /**
   * Lists open multipart uploads by key, as far as the store knows them: after a restart some stores list older uploads
   * only if the prefix is the whole key. A page before the last may have fewer than `limit`; MinIO returns all uploads
   * as one page.
   */
  openMultiparts(listing: MultipartListing): Promise<MultipartPage>
  /** Closes the store; idempotent. After that every method rejects with `unavailable`. */
  close(): Promise<void>
}
