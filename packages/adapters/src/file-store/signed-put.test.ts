import { describe, expect, it } from 'vitest'
import { type SignedPut, signedPutUrl, verifySignedPut } from './signed-put.ts'

const signingKey = Buffer.alloc(32, 7)
const expires = 1_800_000_000
const before = expires * 1_000 - 1
const ofObject: SignedPut = { key: 'owner/ns/a b+c%/😀.pdf', contentType: 'application/pdf', sizeBytes: 5 }
const ofPart: SignedPut = { key: 'a', upload: { id: 'u 1', part: 3 } }

const sign = (put: SignedPut) => signedPutUrl(put, { publicUrl: 'https://host.example/', signingKey, expires })
/** Returns the request as node:http passes it on. */
const received = (put: SignedPut) => {
  const { pathname, search } = new URL(sign(put))
  const headers: Record<string, string> = {
    ...(put.contentType === undefined ? {} : { 'content-type': put.contentType }),
    ...(put.sizeBytes === undefined ? {} : { 'content-length': String(put.sizeBytes) }),
  }
  return { method: 'PUT', url: pathname + search, headers }
}
const verdict = (request: Parameters<typeof verifySignedPut>[0], now = before) =>
  verifySignedPut(request, { signingKey, now })
const refusal = (code: string) => ({ refused: { status: 403, code, message: expect.any(String) } })

describe('signed PUT', () => {
  it.each([ofObject, ofPart, { key: 'a', contentType: 'x/y' }, { key: "~!'()*,;:@$&=+/?#[]" }])(
    'is verified as what was signed: %j',
    (put) => {
      expect(verdict(received(put))).toEqual({ put })
    },
  )

  it('has the key in its path', () => {
    expect(sign(ofObject)).toMatch(
      /^https:\/\/host\.example\/files\/owner\/ns\/a%20b%2Bc%25\/%F0%9F%98%80\.pdf\?X-Cairn-Expires=1800000000&/,
    )
  })

  it('expires', () => {
    const request = received(ofObject)
    expect(verdict(request, before)).toEqual({ put: ofObject })
    expect(verdict(request, before + 1)).toEqual(refusal('AccessDenied'))
  })

  it.each([
    ['another key', /a%20b/, 'b%20b'],
    ['a longer life', /Expires=1800000000/, 'Expires=1900000000'],
    ['another content type', /Content-Type=application%2Fpdf/, 'Content-Type=text%2Fhtml'],
    ['no content type', /X-Cairn-Content-Type=application%2Fpdf&/, ''],
    ['another size', /Size=5/, 'Size=6'],
    ['no size', /X-Cairn-Size=5&/, ''],
    ['another signature', /Signature=./, 'Signature=_'],
    ['a shorter signature', /.$/, ''],
    ['no bytes of signature', /Signature=.*/, 'Signature='],
  ])('is refused with %s in its URL', (_, from, to) => {
    const request = received(ofObject)
    const url = request.url.replace(from, to)
    expect(url).not.toBe(request.url)
    const headers = { 'content-type': 'text/html', 'content-length': '6' }
    expect(verdict({ ...request, url })).toEqual(refusal('SignatureDoesNotMatch'))
    expect(verdict({ ...request, url, headers })).toEqual(refusal('SignatureDoesNotMatch'))
  })

  it.each([
    ['no signature', (url: string) => url.replace(/&X-Cairn-Signature=.*/, '')],
    ['no query', (url: string) => url.replace(/\?.*/, '')],
    ['a field twice', (url: string) => `${url}&X-Cairn-Size=5`],
    ['a field nobody knows', (url: string) => `${url}&x-id=PutObject`],
    ['an expiry that is no number', (url: string) => url.replace(/Expires=\d+/, 'Expires=1e99')],
    ['a path that can not be decoded', (url: string) => url.replace('%20', '%zz')],
    ['bytes that are no UTF-8', (url: string) => url.replace('%20', '%ff')],
    ['another path', (url: string) => url.replace('/files/', '/v1/')],
    ['nothing', () => ''],
  ])('is refused with %s', (_, change) => {
    const request = received(ofObject)
    expect(verdict({ ...request, url: change(request.url) })).toEqual(refusal('AccessDenied'))
  })

  it.each(['GET', 'POST', 'DELETE', 'put', undefined])('is refused as %s', (method) => {
    expect(verdict({ ...received(ofObject), method })).toEqual(refusal('SignatureDoesNotMatch'))
  })

  it.each([
    { 'content-type': 'text/html', 'content-length': '5' },
    { 'content-type': 'application/pdf; charset=utf-8', 'content-length': '5' },
    { 'content-type': 'application/pdf', 'content-length': '6' },
    { 'content-type': 'application/pdf', 'content-length': '05' },
    { 'content-type': 'application/pdf' },
    { 'content-length': '5' },
    {},
  ])('is refused with the headers %j', (headers) => {
    expect(verdict({ ...received(ofObject), headers })).toEqual(refusal('SignatureDoesNotMatch'))
  })

  it('rejects a signature made for another request', () => {
    const forObject = received({ key: 'a', contentType: 'x/y' })
    const forPart = received(ofPart)
    const signature = /X-Cairn-Signature=(.*)$/.exec(forPart.url)?.[1]
    expect(verdict({ ...forObject, url: forObject.url.replace(/Signature=.*/, `Signature=${signature}`) })).toEqual(
      refusal('SignatureDoesNotMatch'),
    )
    expect(verdict({ ...forPart, url: forPart.url.replace(/X-Cairn-Upload-Id=[^&]*&/, '') })).toEqual(
      refusal('SignatureDoesNotMatch'),
    )
    expect(verdict({ ...forPart, url: forPart.url.replace('Part=3', 'Part=4') })).toEqual(
      refusal('SignatureDoesNotMatch'),
    )
  })

  it('does not reveal the expected signature in refusals', () => {
    const request = received(ofObject)
    const right = /X-Cairn-Signature=(.*)$/.exec(request.url)?.[1] ?? ''
    expect(right).toHaveLength(43)
    const wrong = { ...request, url: request.url.replace(/Signature=./, 'Signature=_') }
    expect(JSON.stringify(verdict(wrong))).not.toContain(right.slice(1))
  })
})
