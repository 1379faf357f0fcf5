import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedRequest } from './port.ts'

/** What a signed PUT of the embedded mode allows: an object, or a part of one. */
export type SignedPut = {
  readonly key: string
  /** Of an object; a part has none. */
  readonly contentType?: string
  /** Where it was signed, the only size that is taken. */
  readonly sizeBytes?: number
  /** Of a part. */
  readonly upload?: { readonly id: string; readonly part: number }
}

export type SignedPutRefusal = {
  readonly status: 403
  /** As S3 calls it. */
  readonly code: 'AccessDenied' | 'SignatureDoesNotMatch'
  readonly message: string
}

/** A request as node:http hands it over. */
export type SignedPutRequest = {
  readonly method?: string | undefined
  /** Path and query as they were sent. */
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Path under which the files of the embedded mode are taken. */
const root = '/files/'
const names = {
  expires: 'X-Cairn-Expires',
  contentType: 'X-Cairn-Content-Type',
  size: 'X-Cairn-Size',
  uploadId: 'X-Cairn-Upload-Id',
  part: 'X-Cairn-Part',
  signature: 'X-Cairn-Signature',
} as const
const known: ReadonlySet<string> = new Set(Object.values(names))

/** A list in JSON: no two requests have the same text, whatever their fields hold. */
const signatureOf = (signingKey: Uint8Array, put: SignedPut, expires: number): Buffer => {
  const signed = ['cairn-put-1', put.key, expires, put.contentType, put.sizeBytes, put.upload?.id, put.upload?.part]
  return createHmac('sha256', signingKey)
    .update(JSON.stringify(signed.map((field) => field ?? null)))
    .digest()
}

/** What `encodeURIComponent` leaves as it is and some clients encode. */
const encodeSegment = (segment: string) =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** The request a client sends; whoever has it may, until `expires` (seconds since the epoch). */
export const signedPutRequest = (
  put: SignedPut,
  options: { readonly publicUrl: string; readonly signingKey: Uint8Array; readonly expires: number },
): SignedRequest => {
  const query = new URLSearchParams({ [names.expires]: String(options.expires) })
  if (put.contentType !== undefined) query.set(names.contentType, put.contentType)
  if (put.sizeBytes !== undefined) query.set(names.size, String(put.sizeBytes))
  if (put.upload !== undefined) {
    query.set(names.uploadId, put.upload.id)
    query.set(names.part, String(put.upload.part))
  }
  query.set(names.signature, signatureOf(options.signingKey, put, options.expires).toString('base64url'))
  const path = put.key.split('/').map(encodeSegment).join('/')
  return {
    method: 'PUT',
    url: `${options.publicUrl.replace(/\/+$/, '')}${root}${path}?${query}`,
    headers: {
      ...(put.contentType === undefined ? {} : { 'content-type': put.contentType }),
      ...(put.sizeBytes === undefined ? {} : { 'content-length': String(put.sizeBytes) }),
    },
  }
}

const refused = (code: SignedPutRefusal['code'], message: string): { readonly refused: SignedPutRefusal } => ({
  refused: { status: 403, code, message },
})

const wholeNumber = (text: string | null): number | undefined => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined)

const keyOf = (path: string): string | undefined => {
  if (!path.startsWith(root)) return undefined
  try {
    return path.slice(root.length).split('/').map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}

/** What a URL says it allows, before anything is known to be true. */
const read = (url: string): { readonly put: SignedPut; readonly expires: number; readonly signature: Buffer } | undefined => {
  const at = url.indexOf('?')
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  const given = [...query.keys()]
  const key = keyOf(at < 0 ? url : url.slice(0, at))
  const expires = wholeNumber(query.get(names.expires))
  const signature = query.get(names.signature)
  if (key === undefined || expires === undefined || signature === null) return undefined
  // Not signed, so not meant: nobody can add a field, or give one twice.
  if (new Set(given).size !== given.length || given.some((name) => !known.has(name))) return undefined
  const contentType = query.get(names.contentType)
  const sizeBytes = wholeNumber(query.get(names.size))
  const uploadId = query.get(names.uploadId)
  const part = wholeNumber(query.get(names.part))
  const put: SignedPut = {
    key,
    ...(contentType === null ? {} : { contentType }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(uploadId === null || part === undefined ? {} : { upload: { id: uploadId, part } }),
  }
  return { put, expires, signature: Buffer.from(signature, 'base64url') }
}

/**
 * Whether a request was signed by `signedPutRequest` and is sent as it was signed. Pure: it looks at the method, the URL and two
 * headers and reads no body, so the receiver still has to hold the body to its Content-Length, which node:http does.
 *
 * @param now milliseconds since the epoch
 */
export const verifySignedPut = (
  request: SignedPutRequest,
  { signingKey, now }: { readonly signingKey: Uint8Array; readonly now: number },
): { readonly put: SignedPut } | { readonly refused: SignedPutRefusal } => {
  const claimed = read(request.url ?? '')
  if (!claimed) return refused('AccessDenied', 'The URL is not a signed one.')
  const { put, expires, signature } = claimed
  const expected = signatureOf(signingKey, put, expires)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    return refused('SignatureDoesNotMatch', 'The signature is not the one of this URL.')
  }
  if (request.method !== 'PUT') return refused('SignatureDoesNotMatch', 'The URL is signed for PUT.')
  if (now >= expires * 1_000) return refused('AccessDenied', 'The request has expired.')
  const { 'content-type': contentType, 'content-length': length } = request.headers
  if (put.contentType !== undefined && contentType !== put.contentType) {
    return refused('SignatureDoesNotMatch', `The URL is signed for the Content-Type ${put.contentType}.`)
  }
  if (put.sizeBytes !== undefined && length !== String(put.sizeBytes)) {
    return refused('SignatureDoesNotMatch', `The URL is signed for a Content-Length of ${put.sizeBytes}.`)
  }
  return { put }
}
