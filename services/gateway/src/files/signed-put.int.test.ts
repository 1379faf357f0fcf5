import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()

const scene = async () => {
  const space = await gateway().open()
  const ask = async (file_name: string, more: Readonly<Record<string, unknown>> = {}) =>
    String((await space.json('POST', 'upload-url', { file_name, ...more })).body['upload_url'])
  const isThere = async (name: string) => (await gateway().files.head(space.key(name))) !== undefined
  return { ...space, ask, isThere }
}

const denied = (code: string) => ({ status: 403, text: expect.stringContaining(`<Code>${code}</Code>`) })

describe('the PUT to a signed address', () => {
  it('may be repeated while it lasts, the last one counts', async () => {
    const { ask, record } = await scene()
    const url = await ask('a.txt')
    expect(await put(url, 'first')).toMatchObject({ status: 200 })
    const before = await record('a.txt')
    gateway().pass(899_000)
    expect(await put(url, 'second')).toMatchObject({ status: 200 })
    expect(await record('a.txt')).toMatchObject({ id: before?.id, object: { sizeBytes: 6 } })
  })

  it('is refused after 15 minutes, in XML', async () => {
    const { ask, isThere } = await scene()
    const url = await ask('a.txt')
    gateway().pass(901_000)
    const answer = await put(url, 'text')
    expect(answer).toMatchObject(denied('AccessDenied'))
    expect(answer.text).toMatch(/expired/)
    expect(answer.headers.get('content-type')).toBe('application/xml')
    expect(await isThere('a.txt')).toBe(false)
  })

  it('is refused for another method, type, key or signature', async () => {
    const { ask, isThere } = await scene()
    const url = await ask('a.txt')
    const posted = await put(url, 'text', { 'content-type': 'text/plain' }, 'POST')
    expect(posted).toMatchObject({ status: 405, text: expect.stringContaining('<Code>MethodNotAllowed</Code>') })
    expect(posted.headers.get('allow')).toBe('PUT')
    expect(await put(url, 'text', { 'content-type': 'text/html' })).toMatchObject(denied('SignatureDoesNotMatch'))
    expect(await put(url.replace('/a.txt?', '/b.txt?'), 'text')).toMatchObject(denied('SignatureDoesNotMatch'))
    expect(await put(`${url.slice(0, -3)}xyz`, 'text')).toMatchObject(denied('SignatureDoesNotMatch'))
    expect(await put(url.replace(/\?.*/, ''), 'text')).toMatchObject(denied('AccessDenied'))
    expect(await isThere('a.txt')).toBe(false)
    expect(await isThere('b.txt')).toBe(false)
  })

  it('takes exactly the size that was asked for', async () => {
    const { ask, isThere } = await scene()
    const url = await ask('a.txt', { file_size: 4 })
    expect(await put(url, 'long text')).toMatchObject(denied('SignatureDoesNotMatch'))
    expect(await put(url, 'tex')).toMatchObject(denied('SignatureDoesNotMatch'))
    expect(await isThere('a.txt')).toBe(false)
    expect(await put(url, 'text')).toMatchObject({ status: 200 })
  })

  it('is refused once its file is deleted, and leaves nothing', async () => {
    const { ask, json, isThere, record } = await scene()
    const url = await ask('a.txt')
    await put(url, 'text')
    expect((await json('DELETE', 'delete-file', { file_name: 'a.txt' })).body['results']).toMatchObject([
      { status: 'deleted' },
    ])
    expect(await put(url, 'text')).toMatchObject(denied('AccessDenied'))
    expect(await isThere('a.txt')).toBe(false)
    expect(await record('a.txt')).toBeUndefined()
    expect(await put(await ask('a.txt'), 'text')).toMatchObject({ status: 200 })
  })

  it('is refused once its namespace is being deleted', async () => {
    const { ask, isThere, namespaceId } = await scene()
    const url = await ask('a.txt')
    await gateway().store.beginNamespaceDeletion(namespaceId, 'deletion-of-test', gateway().now())
    expect(await put(url, 'text')).toMatchObject(denied('AccessDenied'))
    expect(await isThere('a.txt')).toBe(false)
  })

  it('succeeds although the file can not be taken in at once', async () => {
    const { ask, isThere, record } = await scene()
    const url = await ask('a.txt')
    const { between, files } = gateway()
    between.files = { ...files, head: () => Promise.reject(new AppError('unavailable', 'not now')) }
    try {
      expect(await put(url, 'text')).toMatchObject({ status: 200 })
    } finally {
      between.files = files
    }
    expect(await isThere('a.txt')).toBe(true)
    expect(await record('a.txt')).toBeUndefined()
  })

  it('leaves nothing when it is broken off, and what was there stays', async () => {
    const { ask, key } = await scene()
    const url = await ask('a.txt')
    await put(url, 'first')
    await new Promise<void>((resolve) => {
      const request = httpRequest(url, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain', 'content-length': 1_000_000 },
      })
      request.once('error', () => undefined).once('close', resolve)
      request.write('x'.repeat(500_000), () => setImmediate(() => request.destroy()))
    })
    expect(await gateway().files.head(key('a.txt'))).toMatchObject({ sizeBytes: 5 })
  })

  it('lets a client go on that asks before it sends, unless it is refused', async () => {
    const { ask } = await scene()
    const url = new URL(await ask('a.txt'))
    const talk = async (target: string) => {
      const socket = connect(Number(url.port), url.hostname)
      let heard = ''
      socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
      socket.write(
        `PUT ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 4\r\nexpect: 100-continue\r\n\r\n`,
      )
      await eventually(
        () => heard,
        (text) => text.includes('\r\n\r\n'),
      )
      const first = heard.split('\r\n')[0]
      if (first?.includes('100')) socket.write('text')
      await eventually(
        () => heard,
        (text) => /HTTP\/1.1 [2-5]/.test(text),
      )
      socket.destroy()
      return { first, last: /HTTP\/1.1 ([2-5]\d\d)/.exec(heard)?.[1] }
    }
    expect(await talk(url.pathname + url.search)).toEqual({ first: 'HTTP/1.1 100 Continue', last: '200' })
    expect(await talk(url.pathname)).toEqual({ first: 'HTTP/1.1 403 Forbidden', last: '403' })
  })

  it('is refused before it comes when it is announced as larger than 5 GB', async () => {
    const { ask, isThere } = await scene()
    const url = await ask('a.txt')
    const send = (bytes: number) =>
      new Promise<string>((resolve, reject) => {
        const headers = { 'content-type': 'text/plain', 'content-length': bytes, expect: '100-continue' }
        const request = httpRequest(url, { method: 'PUT', headers })
        const ended = (answer: string) => {
          resolve(answer)
          request.destroy()
        }
        request.once('continue', () => ended('go on')).once('error', reject)
        request.once('response', (response) => ended(String(response.statusCode)))
        request.flushHeaders()
      })
    expect(await send(limits.fileBytes + 1)).toBe('400')
    expect(await send(limits.fileBytes)).toBe('go on')
    expect(await isThere('a.txt')).toBe(false)
  })

  it('may come from pages of the configured origins alone, which see its etag', async () => {
    const { ask } = await scene()
    const url = await ask('a.txt')
    const origin = 'https://app.example'
    const asked = await fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(asked.headers.get('access-control-allow-headers')).toContain('content-type')
    const sent = await put(url, 'text', { 'content-type': 'text/plain', origin })
    expect(sent.headers.get('access-control-allow-origin')).toBe(origin)
    expect(sent.headers.get('access-control-expose-headers')).toMatch(/etag/i)
    const foreign = await put(url, 'text', { 'content-type': 'text/plain', origin: 'https://elsewhere.example' })
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('has a name for every file, whatever is in it', async () => {
    const { ask, isThere } = await scene()
    for (const name of ["it's (1) & more+.txt", '100% sure?.txt', 'a#b.txt', 'Ünïcödé/文件.txt', 'a..b/c d.txt']) {
      expect(await put(await ask(name), 'text'), name).toMatchObject({ status: 200 })
      expect(await isThere(name), name).toBe(true)
    }
  })
})
