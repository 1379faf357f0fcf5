import { request as httpRequest } from 'node:http'
import { eventually } from '@cairn/testing/eventually'
import { expect } from 'vitest'
import {
  bytesOf,
  keysOf,
  readAll,
  type Scene,
  type SentAnswer,
  send,
  sha256,
  signedPut,
  textOf,
} from './store.fixture.ts'

const pdf = { contentType: 'application/pdf', expiresInSeconds: 60 } as const
const expectRefused = (answer: SentAnswer) => {
  expect(answer.status).toBe(403)
  expect(answer.text).toMatch(/<Code>(AccessDenied|SignatureDoesNotMatch)<\/Code>/)
}
/** Changes a character in the middle of the signature. */
const forged = (url: string) =>
  url.replace(/(Signature=.{9})(.)/, (_, start: string, mark: string) => `${start}${mark === 'a' ? 'b' : 'a'}`)

/** Contract of signed requests, which a client sends to the store itself. */
export const signingContract = ({ of, files, pass }: Scene): void => {
  of('signing', 'accepts a signed PUT with its content type, and returns the etag', async () => {
    const store = await files()
    const content = bytesOf(300_000)
    const request = await signedPut(store, 'a.pdf', pdf)
    const answer = await send(request, content)
    expect(answer.status).toBe(200)
    const head = await store.head('a.pdf')
    expect(head).toMatchObject({ sizeBytes: 300_000, contentType: 'application/pdf' })
    expect(answer.etag).toBe(`"${head?.etag}"`)
    expect(sha256(await readAll((await store.get('a.pdf'))?.body))).toBe(sha256(content))
  })

  of('signing', 'signs keys of every kind', async () => {
    const store = await files()
    for (const key of ['a b/c+d.txt', "100%/%2F&x=y?#'()*!.txt", 'ü/日本/😀.txt', '...', '~;,:@$[]']) {
      expect((await send(await signedPut(store, key, pdf), key)).status, key).toBe(200)
      expect(await textOf(store, key)).toBe(key)
    }
  })

  of('signing', 'accepts a repeated PUT until it expires, and headers that are not signed', async () => {
    const store = await files()
    const request = await signedPut(store, 'a', pdf)
    expect(
      (await send(request, 'first', { headers: { 'x-api-key': 'k', accept: '*/*', 'user-agent': 'test' } })).status,
    ).toBe(200)
    expect((await send(request, 'second')).status).toBe(200)
    expect(await textOf(store, 'a')).toBe('second')
  })

  of('signing', 'rejects another content type, and a missing one', async () => {
    const store = await files()
    const request = await signedPut(store, 'a', pdf)
    expectRefused(await send(request, 'x', { headers: { 'content-type': 'text/html' } }))
    // The signed header is missing, which some stores answer with 400.
    expect([400, 403]).toContain((await send({ ...request, headers: {} }, Buffer.from('x'))).status)
    expect(await store.list({ prefix: '', limit: 10 })).toEqual([])
  })

  of('signing', 'refuses another method', async () => {
    const store = await files(['a'])
    const request = await signedPut(store, 'a', pdf)
    expectRefused(await send(request, '', { method: 'GET' }))
    expectRefused(await send(request, '', { method: 'DELETE' }))
    expect(await textOf(store, 'a')).toBe('a')
  })

  of('signing', 'refuses another key', async () => {
    const store = await files(['victim'])
    const request = await signedPut(store, 'mine', pdf)
    expectRefused(await send(request, 'x', { url: request.url.replace('/mine?', '/victim?') }))
    expectRefused(await send(request, 'x', { url: request.url.replace('/mine?', '/mine/below?') }))
    expect(await textOf(store, 'victim')).toBe('victim')
    expect(await store.list({ prefix: 'mine', limit: 10 })).toEqual([])
  })

  of('signing', 'rejects an altered signature and a later expiry', async () => {
    const store = await files()
    const request = await signedPut(store, 'a', pdf)
    expectRefused(await send(request, 'x', { url: forged(request.url) }))
    expectRefused(await send(request, 'x', { url: request.url.replace(/(Expires=\d+)/, '$10') }))
    expect(await store.list({ prefix: '', limit: 10 })).toEqual([])
  })

  of('signing', 'refuses a request that has expired', async () => {
    const store = await files()
    const request = await signedPut(store, 'a', { ...pdf, expiresInSeconds: 1 })
    pass(2_001)
    const answer = await eventually(
      () => send(request, 'x'),
      ({ status }) => status !== 200,
      { everyMs: 100 },
    )
    expectRefused(answer)
    expect(answer.text).toMatch(/expired/i)
  })

  of('unknownLength', 'rejects a body without Content-Length', async () => {
    const store = await files()
    const { url, headers } = await signedPut(store, 'a', pdf)
    const answer = await fetch(url, { method: 'PUT', headers, body: new Blob(['x']).stream(), duplex: 'half' })
    expect(answer.status).toBe(411)
    expect(await answer.text()).toContain('<Code>MissingContentLength</Code>')
    expect(await store.head('a')).toBeUndefined()
  })

  of('brokenBodies', 'stores nothing of an incomplete body', async () => {
    const store = await files()
    const { url, headers } = await signedPut(store, 'a', pdf)
    const broken = httpRequest(url, { method: 'PUT', headers: { ...headers, 'content-length': 200_000 } })
    broken.on('error', () => undefined)
    await new Promise((resolve) => broken.write(bytesOf(100_000), resolve))
    broken.destroy()
    // Once later requests are answered, the store has finished the broken request.
    for (const key of ['b', 'c']) expect((await send(await signedPut(store, key, pdf), 'later')).status).toBe(200)
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['b', 'c'])
  })

  of('signing', 'rejects invalid arguments for signing', async () => {
    const store = await files()
    for (const expiresInSeconds of [0, 604_801, 1.5, Number.NaN]) {
      await expect(store.signPut('a', { ...pdf, expiresInSeconds })).rejects.toMatchObject({ code: 'invalid' })
    }
    await expect(store.signPut('a', { ...pdf, contentType: 'a\r\nb: c' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(store.signPut('a', { ...pdf, sizeBytes: -1 })).rejects.toMatchObject({ code: 'invalid' })
    for (const part of [0, 10_001, 1.5]) {
      await expect(store.signPart('a', 'upload', part, pdf)).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  of('signedSize', 'accepts only the signed size', async () => {
    const store = await files()
    const request = await signedPut(store, 'a', { ...pdf, sizeBytes: 5 })
    const without = { ...request, headers: { 'content-type': 'application/pdf' } }
    for (const body of ['', 'four', 'sixsix']) expectRefused(await send(without, body))
    expect(await store.head('a')).toBeUndefined()
    expect((await send(without, 'five5')).status).toBe(200)
    expect((await send(request, 'FIVE5')).status).toBe(200)
    expect(await textOf(store, 'a')).toBe('FIVE5')
  })
}
