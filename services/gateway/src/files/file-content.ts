import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { contentTypeOf } from '@cairn/contracts/files/file-rules'
import { getSignedContent } from '@cairn/contracts/http/files'
import { limits } from '@cairn/contracts/limits'
import type { FileRecord } from '@cairn/domain/files/record'
import type { FileRange, StoredFile } from '@cairn/domain/ports/file-store'
import type { ApiRequest, Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint } from '@cairn/runtime/http/endpoint'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import { turns } from '@cairn/runtime/throttles/turns'
import { create as contentDisposition } from 'content-disposition'
import { accountEndpoint, type Caller } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import type { Cursors } from '../documents/cursor.ts'
import type { ReadableId } from '../gate.ts'
import type { Authentication } from '../guards/authenticate.ts'
import { iso } from '../iso.ts'
import { slots } from '../slots.ts'
import { fileNameOf } from './file-name.ts'

/** From here on, the chunks of downloads take turns with other requests. */
const crowd = 4
/** Reads after which a download fails because the file keeps being replaced. */
const rounds = 4
/** Browsers may show these. HTML must not run in the console's origin. */
const shownTypes: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'text/plain'])
/** Download tokens belong to no listing. */
const binding = { accountId: '', namespaceId: 'download' }

type Request = Pick<ApiRequest<Caller>, 'header' | 'setHeader' | 'raw' | 'signal' | 'onEnd'>

const gone = () => new AppError('notFound', 'The bytes of the file are no longer stored; upload it again')

/** Weak etags match for `If-None-Match` only. */
const includes = (list: string, etag: string, isWeak: boolean): boolean =>
  list
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || (isWeak ? one.replace(/^W\//, '') : one) === `"${etag}"`)

/**
 * Returns undefined for the whole file: no range, one of another version, several or an invalid one, which a server may
 * ignore, and HEAD, which has none (RFC 9110, 14.2). AppError `outOfRange`.
 */
const rangeOf = ({ header, setHeader, raw }: Request, { etag, sizeBytes }: StoredFile): FileRange | undefined => {
  const [range, condition] = [header('range'), header('if-range')]
  if (raw.method === 'HEAD' || range === undefined || (condition !== undefined && condition !== `"${etag}"`))
    return undefined
  const [isRange, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/.exec(range) ?? []
  if (isRange === undefined || (first && last && Number(last) < Number(first))) return undefined
  const from = suffix === undefined ? Number(first) : Math.max(0, sizeBytes - Number(suffix))
  if (from >= sizeBytes) {
    setHeader('content-range', `bytes */${sizeBytes}`)
    throw new AppError('outOfRange', `The range begins after the end of the file, which has ${sizeBytes} bytes`)
  }
  return { from, to: last ? Math.min(Number(last), sizeBytes - 1) : sizeBytes - 1 }
}

const headersOf = ({ name, options }: FileRecord, { etag, modifiedAt }: StoredFile) => {
  const type = contentTypeOf(name) ?? 'application/octet-stream'
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=${options.encoding ?? 'utf-8'}` : type,
    'content-disposition': contentDisposition(posix.basename(name), {
      type: shownTypes.has(type) ? 'inline' : 'attachment',
    }),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag: `"${etag}"`,
    'last-modified': new Date(modifiedAt).toUTCString(),
  }
}

/** Throws AppError `invalid` if the Host header names no origin. */
const originOf = ({ header }: Request): string => {
  const sent = `http://${header('host') ?? ''}`
  const { origin, href } = URL.canParse(sent) ? new URL(sent) : { origin: '', href: '' }
  // Anything but a host and a port would be part of the href, too.
  if (origin === '' || href !== `${origin}/`)
    throw new AppError('invalid', 'The Host header must be a host name with an optional port')
  return origin
}

/** While `isCrowded`, yields one chunk at a turn, so that many downloads do not delay other requests. */
async function* inTurns(body: Readable, owner: string, signal: AbortSignal, isCrowded: () => boolean) {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (isCrowded()) await turns.take(owner, signal)
    yield chunk
  }
}

const downloads = ({ files }: FilePorts) => {
  const running = new FairSlots(slots.downloads)

  /** Returns undefined if the object was replaced since it was found. */
  const read = async (request: Request, file: FileRecord, found: StoredFile) => {
    const headers = headersOf(file, found)
    const match = request.header('if-match')
    if (match !== undefined && !includes(match, found.etag, false))
      throw new AppError('changed', `The file has the ETag "${found.etag}"`)
    const noneMatch = request.header('if-none-match')
    if (noneMatch !== undefined && includes(noneMatch, found.etag, true)) return { status: 304 as const, headers }
    const range = rangeOf(request, found)
    const length = range ? range.to - range.from + 1 : found.sizeBytes
    const sized = { ...headers, 'content-length': String(length) }
    const partial = range && {
      ...sized,
      'content-range': `bytes ${range.from}-${range.to}/${found.sizeBytes}`,
    }
    if (request.raw.method === 'HEAD' || length === 0)
      return respond(sized, partial, Readable.from([], { objectMode: false }))
    const stored = await files.get(file.key, range).catch((error: unknown) => {
      // Replaced by an object that ends before the range.
      if (range && isAppError(error, 'invalid')) return undefined
      throw error
    })
    if (stored?.file.etag === found.etag) {
      const { body } = stored
      const paced = inTurns(body, file.accountId, request.signal, () => running.counts().running > crowd)
      const stream = Readable.from(paced, { objectMode: false })
      // A generator that was not read yet ends without closing what it would have read.
      stream.once('close', () => body.destroy())
      return respond(sized, partial, stream)
    }
    stored?.body.destroy()
    return undefined
  }

  /** Holds the slot until the client has read the response. */
  return async (request: Request, file: FileRecord) => {
    request.onEnd(await running.take(file.accountId, request.signal))
    for (let round = 0; round < rounds; round += 1) {
      const found = await files.head(file.key)
      if (!found) throw gone()
      const response = await read(request, file, found)
      if (response) return response
    }
    throw new AppError('unavailable', 'Other uploads keep replacing this file; retry.', { retryAfterSeconds: 1 })
  }
}

type Headers = Readonly<Record<string, string>>
const respond = (whole: Headers, partial: Headers | undefined, stream: Readable) =>
  partial ? { status: 206 as const, headers: partial, stream } : { status: 200 as const, headers: whole, stream }

/**
 * A signed URL leads to this server, not to the object store: responses have the same headers in every deployment, and
 * the URL ends with the file and with the API key.
 */
export const fileDownloads = (
  deps: FilePorts &
    Pick<Authentication, 'readableBy'> & {
      /** For signed URLs. */
      readonly downloadTokens: Cursors
      /** Default: the host that the request was sent to. */
      readonly publicUrl?: string | undefined
    },
) => {
  const { store, clock, downloadTokens, publicUrl, readableBy } = deps
  const download = downloads(deps)
  const withBytes = (file: FileRecord | undefined): FileRecord => {
    if (!file) throw notFound('file')
    if (file.bytesRemovedAt) throw gone()
    return file
  }
  const fileOf = async (namespaceId: ReadableId, name: string) =>
    withBytes(await store.files.byName(namespaceId, fileNameOf(name).name))

  const content = accountEndpoint(operations.getFileContent, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    return download(call, await fileOf(namespace.id, call.params.file_name))
  })

  const createUrl = accountEndpoint(operations.createDownloadUrl, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { id, name } = await fileOf(namespace.id, call.params.file_name)
    const expiresAt = clock.now() + limits.downloadUrlSeconds * 1_000
    const token = downloadTokens.seal(JSON.stringify([id, expiresAt, call.keyId]), binding)
    const base = publicUrl?.replace(/\/+$/, '') ?? originOf(call)
    return {
      status: 200,
      body: {
        file_name: name,
        download_url: `${base}/v1/downloads/${token}`,
        expires_in: limits.downloadUrlSeconds,
        expires_at: iso(expiresAt),
      },
    }
  })

  const signedContent: Endpoint<Caller> = endpoint(getSignedContent, async (request) => {
    const opened = downloadTokens.open(request.params.token, binding)
    if (opened === undefined) throw new AppError('forbidden', 'The URL is not a signed one')
    const [fileId, expiresAt, keyId] = JSON.parse(opened) as [string, number, string]
    if (clock.now() >= expiresAt) throw new AppError('forbidden', 'The URL has expired; request a new download_url')
    const readable = await readableBy(keyId, operations.createDownloadUrl)
    if (!readable)
      throw new AppError('forbidden', 'The API key of the URL is no longer accepted; request a new download_url')
    // The id ends the URL with the file, even if another one is uploaded under its name.
    return download(request, withBytes(await readable.file(fileId)))
  })

  return { content, createUrl, signedContent }
}
