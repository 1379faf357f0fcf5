import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FileStore, MultipartPlace, OpenMultipart, SignOptions, StoredFile } from '@cairn/domain/ports/file-store'
import { it, onTestFinished } from 'vitest'

type Behaviour =
  | 'roundTrip'
  | 'overwrite'
  | 'missing'
  | 'removal'
  | 'listing'
  | 'nesting'
  | 'longSegments'
  | 'hostileKeys'
  | 'ranges'
  | 'sizes'
  | 'interruption'
  | 'concurrency'
  | 'signing'
  | 'signedSize'
  | 'brokenBodies'
  | 'unknownLength'
  | 'multipart'
  | 'replacedParts'
  | 'openMultiparts'
  | 'restart'
  | 'closing'

/** New, empty bucket or folder. */
export type FilePlace = {
  /** An embedded store can be opened only after the previous one is closed. */
  connect(): FileStore
  /** Advances the store's clock. Without it, a test waits in real time. */
  readonly pass?: (ms: number) => void
  /** Called after the place's stores were closed. */
  remove(): Promise<void>
}

export type FileStoreContract = {
  /** Called before all tests and within some. */
  readonly open: () => FilePlace | Promise<FilePlace>
  /** Behaviors that the adapter can't have, with the reasons, which are printed. */
  readonly lacks: { readonly [B in Behaviour]?: string }
}

const mebibyte = 1024 * 1024
/** S3's minimum of a part that is not the last. */
export const partBytes = 5 * mebibyte
export const plain = { contentType: 'text/plain' } as const

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const blockBytes = 65_536

/** Depends on the seed alone. Each block contains its number, so that a lost, repeated or moved block is detected. */
export const bytesOf = (sizeBytes: number, seed = 1): Buffer => {
  const noise = new Uint32Array(blockBytes / 4)
  for (let index = 0, state = Math.imul(seed, 2_654_435_761); index < noise.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    noise[index] = state
  }
  const block = Buffer.from(noise.buffer)
  const bytes = Buffer.alloc(sizeBytes, block)
  for (let index = 0; index + 4 <= sizeBytes; index += blockBytes) bytes.writeUInt32LE(index / blockBytes, index)
  return bytes
}

const oddSizes = [1, 3, 4_093, 65_537, 100_003, 262_147]

/** Chunks of odd sizes; fails with `error`, if set, after the last. */
export const streamOf = (bytes: Buffer, error?: Error): Readable => {
  const chunks = function* () {
    for (let from = 0, turn = 0; from < bytes.length; turn++) {
      const to = from + (oddSizes[turn % oddSizes.length] ?? 1)
      yield bytes.subarray(from, to)
      from = to
    }
    if (error) throw error
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** Stalls without an end after `sizeBytes`; `given` resolves when those bytes were read. */
export const stuckAfter = (sizeBytes: number) => {
  const { promise: given, resolve } = Promise.withResolvers<void>()
  const source = Readable.from(
    (async function* () {
      yield* streamOf(bytesOf(sizeBytes))
      resolve()
      await new Promise(() => {})
    })(),
    { objectMode: false },
  )
  return { source, given }
}

export const readAll = async (body: Readable | undefined): Promise<Buffer> => {
  if (!body) throw new Error('nothing was found')
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const textOf = async (store: FileStore, key: string): Promise<string | undefined> => {
  const found = await store.get(key)
  return found && (await readAll(found.body)).toString()
}

export const keysOf = (files: readonly { readonly key: string }[]) => files.map(({ key }) => key)

export type SentAnswer = { readonly status: number; readonly text: string; readonly etag: string }

export type SignedRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** Returns the request that a client sends to the signed URL. */
export const signedPut = async (
  store: Pick<FileStore, 'signPut'>,
  key: string,
  options: SignOptions,
): Promise<SignedRequest> => {
  const { contentType, sizeBytes } = options
  const length = sizeBytes === undefined ? {} : { 'content-length': String(sizeBytes) }
  return { url: await store.signPut(key, options), headers: { 'content-type': contentType, ...length } }
}

export const signedPart = async (
  store: Pick<FileStore, 'signPart'>,
  ...of: Parameters<FileStore['signPart']>
): Promise<SignedRequest> => ({ url: await store.signPart(...of), headers: {} })

/** `change` replaces parts of the signed request. */
export const send = async (
  { url, headers }: SignedRequest,
  body: string | Uint8Array,
  change: { readonly method?: string; readonly url?: string; readonly headers?: Record<string, string> } = {},
): Promise<SentAnswer> => {
  const response = await fetch(change.url ?? url, {
    method: change.method ?? 'PUT',
    headers: { ...headers, ...change.headers },
    ...(change.method === 'GET' ? {} : { body }),
  })
  return { status: response.status, text: await response.text(), etag: response.headers.get('etag') ?? '' }
}

export const allMultiparts = async (
  store: Pick<FileStore, 'openMultiparts'>,
  prefix: string,
  limit = 1_000,
): Promise<OpenMultipart[]> => {
  const found: OpenMultipart[] = []
  for (let after: MultipartPlace | undefined; ; ) {
    const { uploads, next } = await store.openMultiparts({ prefix, limit, ...(after ? { after } : {}) })
    found.push(...uploads)
    if (!next) return found
    after = next
  }
}

/** All tests share a store, but each sees only its own keys. */
const within = (store: FileStore, prefix: string): FileStore => {
  const inside = (key: string) => prefix + key
  const outside = <F extends { readonly key: string }>(file: F): F => ({ ...file, key: file.key.slice(prefix.length) })
  return {
    ...store,
    put: async (key, source, options) => outside<StoredFile>(await store.put(inside(key), source, options)),
    head: async (key) => {
      const found = await store.head(inside(key))
      return found && outside(found)
    },
    get: async (key, range) => {
      const found = await store.get(inside(key), range)
      return found && { ...found, file: outside(found.file) }
    },
    list: async ({ prefix: within, after, limit }) => {
      const listing = { prefix: inside(within), limit, ...(after === undefined ? {} : { after: inside(after) }) }
      return (await store.list(listing)).map(outside)
    },
    remove: (keys) => store.remove(keys.map(inside)),
    signPut: (key, options) => store.signPut(inside(key), options),
    startMultipart: (key, options) => store.startMultipart(inside(key), options),
    signPart: (key, ...rest) => store.signPart(inside(key), ...rest),
    completeMultipart: async (key, ...rest) => outside(await store.completeMultipart(inside(key), ...rest)),
    multipartBytes: (key, uploadId) => store.multipartBytes(inside(key), uploadId),
    abortMultipart: (key, uploadId) => store.abortMultipart(inside(key), uploadId),
    openMultiparts: async ({ prefix: within, after, limit }) => {
      const listing = {
        prefix: inside(within),
        limit,
        ...(after ? { after: { ...after, key: inside(after.key) } } : {}),
      }
      const { uploads, next } = await store.openMultiparts(listing)
      return { uploads: uploads.map(outside), ...(next ? { next: outside(next) } : {}) }
    },
  }
}

export type Scene = {
  /** Skips the test, with the reason, if the adapter lacks the behavior. */
  readonly of: (behaviour: Behaviour, name: string, body: () => Promise<void>) => void
  /** Removed after the test. */
  readonly open: () => Promise<FilePlace>
  /** The content of each object is its key. */
  readonly files: (keys?: readonly string[]) => Promise<FileStore>
  readonly whole: () => FileStore
  /** Advances the clock of the shared store if possible. */
  readonly pass: (ms: number) => void
}

export const createScene = (
  contract: FileStoreContract,
  shared: () => { readonly place: FilePlace; readonly store: FileStore },
): Scene => {
  let places = 0
  return {
    of: (behaviour, name, body) => {
      const reason = contract.lacks[behaviour]
      if (reason === undefined) it(name, body)
      else it(name, ({ skip }) => skip(reason))
    },
    open: async () => {
      const place = await contract.open()
      onTestFinished(() => place.remove())
      return place
    },
    files: async (keys = []) => {
      const store = within(shared().store, `test-${++places}/`)
      await Promise.all(keys.map((key) => store.put(key, Buffer.from(key), plain)))
      return store
    },
    whole: () => shared().store,
    pass: (ms) => shared().place.pass?.(ms),
  }
}
