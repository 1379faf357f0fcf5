import type { Readable } from 'node:stream'

/** What the store knows of an object. */
export type StoredFile = {
  readonly key: string
  readonly sizeBytes: number
  /** Changes with the content; opaque, without quotes. */
  readonly etag: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly modifiedAt: number
}

export type PutOptions = {
  readonly contentType: string
  /** Of the source, where it is known: another number of bytes is an AppError `invalid`. */
  readonly sizeBytes?: number
  /** One byte more is an AppError `tooLarge`. */
  readonly maxBytes?: number
  /** Aborted: `put` rejects with its reason. */
  readonly signal?: AbortSignal
}

/** Bytes `from` up to and including `to`. One that begins behind the content is an AppError `invalid`; one that ends there is cut. */
export type FileRange = { readonly from: number; readonly to: number }

export type FileListing = {
  /** What a key may begin with, or empty: all. */
  readonly prefix: string
  /** Exclusive. */
  readonly after?: string
  /** 1 to 1,000. */
  readonly limit: number
}

/** A request that whoever holds it may send once or more until it expires: a bearer secret, never to be logged. */
export type SignedRequest = {
  readonly method: 'PUT'
  readonly url: string
  /** Must be sent exactly so. */
  readonly headers: Readonly<Record<string, string>>
}

export type SignOptions = {
  readonly contentType: string
  /** 1 to 604,800. */
  readonly expiresInSeconds: number
  /** Signed as Content-Length, so that no other size is taken. */
  readonly sizeBytes?: number
}

/** Parts are numbered from 1 to 10,000; each but the last has at least 5 MiB. */
export type UploadedPart = { readonly part: number; readonly etag: string }

export type CompleteOptions = {
  /** One byte more in the parts together is an AppError `tooLarge`. */
  readonly maxBytes?: number
}

/** An upload in parts that is neither completed nor aborted. */
export type OpenMultipart = {
  readonly key: string
  readonly uploadId: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly startedAt: number
}

/** Behind which upload a page begins: of the store that gave it, to be handed back as it is. */
export type MultipartPlace = Pick<OpenMultipart, 'key' | 'uploadId'>

export type MultipartListing = {
  /** What a key may begin with, or empty: all. */
  readonly prefix: string
  /** What the page before gave as `next`. */
  readonly after?: MultipartPlace
  /** 1 to 1,000. Not less than one key may have: not every store can go on in the middle of a key. */
  readonly limit: number
}

export type MultipartPage = {
  readonly uploads: readonly OpenMultipart[]
  /** Undefined on the last page. */
  readonly next?: MultipartPlace
}

/**
 * Objects by key. A key is 1 to 1,024 bytes of UTF-8, of segments between `/` none of which is empty, `.` or `..`, without
 * backslash, control characters, lone surrogates and what XML has no place for (U+FFFE, U+FFFF); any other is an AppError
 * `invalid`, and nothing is read or written. Keys are taken as they are: no case folded, no Unicode form changed.
 * Whoever makes keys keeps two limits of stores that have objects in files: at most 255 bytes between slashes (more may be
 * `invalid`), and no key that is the folder of another. Of `a` and `a/b` the second may be a `conflict`, or may be taken and then be
 * missing in every listing, as MinIO does it.
 * Writes are whole or not at all: what is interrupted, aborted or refused leaves nothing, and what was under the key stays.
 * A write is durable and visible, to listings also, when it resolves. Nothing is held in memory beyond a few parts.
 * Engine trouble is an AppError `unavailable`.
 */
export interface FileStore {
  /** What every key of this installation begins with, before a slash: several may share a store under different ones. */
  readonly prefix: string
  /** Makes the bucket or folder where it is missing; may be repeated. */
  ensure(): Promise<void>
  /**
   * An object of the same key is replaced. A stream has ended or is destroyed when this settles; what it fails with is what
   * this rejects with.
   */
  put(key: string, source: Readable | Uint8Array, options: PutOptions): Promise<StoredFile>
  head(key: string): Promise<(StoredFile & { readonly contentType: string }) | undefined>
  /**
   * Default: all. `file` is the whole object also where a range is read. The caller reads the stream to its end or destroys it,
   * and spools it if that takes long: stores cut off who reads nothing for half a minute (`unavailable`).
   */
  get(key: string, range?: FileRange): Promise<{ readonly file: StoredFile; readonly body: Readable } | undefined>
  /** In the order of the keys' UTF-8 bytes. */
  list(listing: FileListing): Promise<StoredFile[]>
  /** 1 to 1,000 keys; those that are not there are no error. */
  remove(keys: readonly string[]): Promise<void>
  /** For a client that sends the object itself: another method, key, Content-Type or size is refused by the store (403). */
  signPut(key: string, options: SignOptions): Promise<SignedRequest>
  /** Begins an upload in parts; resolves to its upload id. */
  startMultipart(key: string, options: { readonly contentType: string }): Promise<string>
  signPart(key: string, uploadId: string, part: number, options: Omit<SignOptions, 'contentType'>): Promise<SignedRequest>
  /**
   * Parts that are missing, of another etag or too small: AppError `invalid`. An unknown upload id: AppError `notFound`. What is refused
   * stays as it was: the upload is open with its parts, and an object of the same key is not replaced.
   */
  completeMultipart(key: string, uploadId: string, parts: readonly UploadedPart[], options?: CompleteOptions): Promise<StoredFile>
  /** Bytes of the parts that are stored; undefined for an unknown upload. */
  multipartBytes(key: string, uploadId: string): Promise<number | undefined>
  /** An unknown one is no error. */
  abortMultipart(key: string, uploadId: string): Promise<void>
  /**
   * What stores know, by key: after a restart some list older ones only where the prefix is the whole key. A page may have fewer than `limit`
   * before the last one; MinIO gives all of them as one page.
   */
  openMultiparts(listing: MultipartListing): Promise<MultipartPage>
  /** Idempotent; then every method rejects with `unavailable`. */
  close(): Promise<void>
}
