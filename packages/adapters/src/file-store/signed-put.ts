import { createHmac, timingSafeEqual } from 'node:crypto'

/** Permission of the one-process mode to PUT one object, or one part of an upload. */
export type SignedPut = {
  readonly key: string
  /** Set for an object, not for a part. */
  readonly contentType?: string
  /** The only accepted size, if signed. */
  readonly sizeBytes?: number
  /** Set for a part. */
  readonly upload?: { readonly id: string; readonly part: number }
}

export type SignedPutRefusal = {
  readonly status: 403
  readonly code: 'AccessDenied' | 'SignatureDoesNotMatch'
  readonly message: string
}

export type SignedPutRequest = {
  readonly method?: string | undefined
  /** Path and query as sent. */
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

const root = '/files/'
const names = {
  expires: 'X-Cairn-Expires',
  contentType: 'X-Cairn-Content-Type',
  size: 'X-Cairn-Size',
  uploadId: 'X-Cairn-Upload-Id',
  part: 'X-Cairn-Part',
  signature: 'X-Cairn-Signature',
} as const
const knownFields: ReadonlySet<string> = new Set(Object.values(names))

/** Over a JSON list: no two permissions have the same JSON, whatever their fields contain. */
const signatureOf = (signingKey: Uint8Array, put: SignedPut, expires: number): Buffer => {
  const signed = ['cairn-put-1', put.key, expires, put.contentType, put.sizeBytes, put.upload?.id, put.upload?.part]
  return createHmac('sha256', signingKey)
    .update(JSON.stringify(signed.map((field) => field ?? null)))
    .digest()
}

/** Also encodes characters that `encodeURIComponent` keeps and some clients encode. */
const encodeSegment = (segment: string) =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** Anyone who has the URL may use it until `expires` (seconds since the epoch). */
export const signedPutUrl = (
  put: SignedPut,
  options: { readonly publicUrl: string; readonly signingKey: Uint8Array; readonly expires: number },
): string => {
  const query = new URLSearchParams({ [names.expires]: String(options.expires) })
  if (put.contentType !== undefined) query.set(names.contentType, put.contentType)
  if (put.sizeBytes !== undefined) query.set(names.size, String(put.sizeBytes))
  if (put.upload !== undefined) {
    query.set(names.uploadId, put.upload.id)
    query.set(names.part, String(put.upload.part))
  }
  query.set(names.signature, signatureOf(options.signingKey, put, options.expires).toString('base64url'))
  const path = put.key.split('/').map(encodeSegment).join('/')
  return `${options.publicUrl.replace(/\/+$/, '')}${root}${path}?${query}`
}

const refusal = (code: SignedPutRefusal['code'], message: string): { readonly refused: SignedPutRefusal } => ({
  refused: { status: 403, code, message },
})

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const keyOf = (path: string): string | undefined => {
  if (!path.startsWith(root)) return undefined
  try {
    return path.slice(root.length).split('/').map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}

const parseUrl = (
  url: string,
): { readonly put: SignedPut; readonly expires: number; readonly signature: Buffer } | undefined => {
  const index = url.indexOf('?')
  const query = new URLSearchParams(index < 0 ? '' : url.slice(index + 1))
  const fields = [...query.keys()]
  const key = keyOf(index < 0 ? url : url.slice(0, index))
  const expires = wholeNumber(query.get(names.expires))
  const signature = query.get(names.signature)
  if (key === undefined || expires === undefined || signature === null) return undefined
  // Unknown and repeated fields are not covered by the signature.
  if (new Set(fields).size !== fields.length || fields.some((name) => !knownFields.has(name))) return undefined
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
 * Verifies only the method, the URL and two headers. The receiver must check the body against its Content-Length, as
 * node:http does.
 * @param now milliseconds since the epoch
 */
export const verifySignedPut = (
  request: SignedPutRequest,
  { signingKey, now }: { readonly signingKey: Uint8Array; readonly now: number },
): { readonly put: SignedPut } | { readonly refused: SignedPutRefusal } => {
  const claimed = parseUrl(request.url ?? '')
  if (!claimed) return refusal('AccessDenied', 'The URL is not a signed one.')
  const { put, expires, signature } = claimed
  const expected = signatureOf(signingKey, put, expires)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    return refusal('SignatureDoesNotMatch', 'The signature is not the one of this URL.')
  }
  if (request.method !== 'PUT') return refusal('SignatureDoesNotMatch', 'The URL is signed for PUT.')
  if (now >= expires * 1_000) return refusal('AccessDenied', 'The request has expired.')
  const { 'content-type': contentType, 'content-length': length } = request.headers
  if (put.contentType !== undefined && contentType !== put.contentType) {
    return refusal('SignatureDoesNotMatch', `The URL is signed for the Content-Type ${put.contentType}.`)
  }
  if (put.sizeBytes !== undefined && length !== String(put.sizeBytes)) {
    return refusal('SignatureDoesNotMatch', `The URL is signed for a Content-Length of ${put.sizeBytes}.`)
  }
  return { put }
}
