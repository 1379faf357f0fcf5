import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseApiKey } from '@cairn/runtime/http/api-key'
import { describe, expect, it } from 'vitest'
import { useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()
const text = 'Cairns are piles of stones that mark a path.'

type Scene = Awaited<ReturnType<ReturnType<typeof gateway>['open']>>
const contentOf = (name: string) => `files/${encodeURIComponent(name)}/content`
const get = (space: Scene, name: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(space.path(contentOf(name)), { method, headers: { 'x-api-key': space.apiKey, ...headers } })
const scene = async (name = 'a.txt', bytes: string | Uint8Array<ArrayBuffer> = text) => {
  const space = await gateway().open()
  await space.upload(name, bytes)
  return space
}

describe('the content of a file', () => {
  it.each([
    ['a.txt', 'text/plain; charset=utf-8', 'inline; filename=a.txt'],
    ['folder/a.pdf', 'application/pdf', 'inline; filename=a.pdf'],
    ['a.html', 'text/html; charset=utf-8', 'attachment; filename=a.html'],
    ['a.md', 'text/markdown; charset=utf-8', 'attachment; filename=a.md'],
    ['a.json', 'application/json', 'attachment; filename=a.json'],
    [
      'Größe 日本 עברית.csv',
      'text/csv; charset=utf-8',
      /^attachment; filename=".*"; filename\*=UTF-8''Gr%C3%B6%C3%9Fe/,
    ],
    ['a"b;c.txt', 'text/plain; charset=utf-8', /^inline; filename="a\\"b;c\.txt"/],
  ])('%s is sent as %s, %s', async (name, type, disposition) => {
    const space = await scene(name, '<script>alert(1)</script>')
    const response = await get(space, name)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('<script>alert(1)</script>')
    const { headers } = response
    expect(headers.get('content-type')).toBe(type)
    const sent = headers.get('content-disposition')
    if (typeof disposition === 'string') expect(sent).toBe(disposition)
    else expect(sent).toMatch(disposition)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('content-length')).toBe('25')
    expect(headers.get('etag')).toBe(`"${(await space.record(name))?.object.etag}"`)
  })

  it.each<[string, number, string | undefined, string]>([
    ['bytes=0-5', 206, 'bytes 0-5/44', text.slice(0, 6)],
    ['bytes=7-', 206, 'bytes 7-43/44', text.slice(7)],
    ['bytes=-5', 206, 'bytes 39-43/44', text.slice(-5)],
    ['bytes=-500', 206, 'bytes 0-43/44', text],
    ['bytes=43-43', 206, 'bytes 43-43/44', '.'],
    ['bytes=40-400', 206, 'bytes 40-43/44', text.slice(40)],
    ['bytes=0-99999999999999999999', 206, 'bytes 0-43/44', text],
    // A server may ignore several ranges, other units and ranges that are not well-formed.
    ['bytes=0-1,4-5', 200, undefined, text],
    ['lines=0-1', 200, undefined, text],
    ['bytes=9-3', 200, undefined, text],
    ['bytes=x-y', 200, undefined, text],
    ['bytes', 200, undefined, text],
  ])('takes the range %s: %i, %s', async (range, status, contentRange, body) => {
    const response = await get(await scene(), 'a.txt', { range })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-range') ?? undefined).toBe(contentRange)
    expect(await response.text()).toBe(body)
    expect(response.headers.get('content-length')).toBe(String(body.length))
  })

  it.each(['bytes=44-', 'bytes=44-50', 'bytes=-0'])('refuses the range %s with 416', async (range) => {
    const space = await scene()
    const response = await get(space, 'a.txt', { range })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */44'])
    expect(await response.json()).toEqual({
      error: expect.stringContaining('44 bytes'),
      request_id: expect.any(String),
    })
  })

  it('of no byte is sent whole, whatever the range', async () => {
    const space = await scene('empty.txt', '')
    const response = await get(space, 'empty.txt')
    expect([response.status, await response.text(), response.headers.get('content-length')]).toEqual([200, '', '0'])
    expect((await get(space, 'empty.txt', { range: 'bytes=0-' })).status).toBe(416)
  })

  it('is answered by its ETag', async () => {
    const space = await scene()
    const etag = (await get(space, 'a.txt')).headers.get('etag') ?? ''
    const status = async (headers: Record<string, string>) => (await get(space, 'a.txt', headers)).status
    expect(await status({ 'if-none-match': etag })).toBe(304)
    expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304)
    expect(await status({ 'if-none-match': '*' })).toBe(304)
    expect(await status({ 'if-none-match': '"x"' })).toBe(200)
    expect(await status({ 'if-match': etag })).toBe(200)
    expect(await status({ 'if-match': `"x", ${etag}` })).toBe(200)
    expect(await status({ 'if-match': `W/${etag}` })).toBe(412)
    expect(await status({ 'if-match': '"x"' })).toBe(412)
    expect(await status({ range: 'bytes=0-3', 'if-range': etag })).toBe(206)
    expect(await status({ range: 'bytes=0-3', 'if-range': '"x"' })).toBe(200)
    await space.upload('a.txt', 'Other bytes of the same file.')
    expect(await status({ 'if-none-match': etag })).toBe(200)
    expect(await status({ 'if-match': etag })).toBe(412)
  })

  it('has the same headers for HEAD, which has no ranges, without a byte', async () => {
    const space = await scene()
    const response = await get(space, 'a.txt', { range: 'bytes=0-5' }, 'HEAD')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '44', ''])
  })

  it('is streamed whole, and stops when the client leaves', async () => {
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'abcdefgh')
    const space = await scene('large.txt', bytes)
    const response = await get(space, 'large.txt')
    const hash = createHash('sha256')
    for await (const chunk of response.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    for (let n = 0; n < 70; n += 1) {
      const one = await get(space, 'large.txt')
      await one.body?.cancel()
    }
    // The slots of the clients that have left are free again: an account has 64.
    expect((await get(space, 'large.txt', { range: 'bytes=0-7' })).status).toBe(206)
  })

  it.each([
    ['that does not exist', 'b.txt', 404],
    ['with another ending', 'a.exe', 400],
    ['outside the namespace', '../a.txt', 400],
    ['with a control character', 'a\u0000.txt', 400],
  ])('of a name %s is refused', async (_, name, status) => {
    const space = await scene()
    const response = await get(space, name)
    // A name that no file can have is not a path of the API.
    expect([status, 404]).toContain(response.status)
    expect(await response.json()).toMatchObject({ error: expect.any(String) })
  })

  it('of another account looks like that of no file, also by a path', async () => {
    const [mine, theirs] = [await scene(), await gateway().open()]
    const other = await fetch(mine.path(contentOf('a.txt')), { headers: { 'x-api-key': theirs.apiKey } })
    const none = await fetch(theirs.path('files/a.txt/content').replace(theirs.namespace, 'nowhere'), {
      headers: { 'x-api-key': theirs.apiKey },
    })
    expect([other.status, none.status]).toEqual([404, 404])
    for (const path of [
      `files/..%2F..%2F${mine.namespace}%2Fa.txt/content`,
      `files/%2e%2e%2fa.txt/content`,
      `files/${encodeURIComponent(mine.key('a.txt'))}/content`,
    ])
      expect((await fetch(theirs.path(path), { headers: { 'x-api-key': theirs.apiKey } })).status).toBe(404)
    expect((await fetch(mine.path(contentOf('a.txt')))).status).toBe(401)
    const writer = await mine.keyWith({ scopes: ['write'] })
    expect((await get({ ...mine, apiKey: writer }, 'a.txt')).status).toBe(403)
  })

  it('is gone with the file, and says when only its bytes are', async () => {
    const space = await scene()
    const { between, files } = gateway()
    between.files = { ...files, head: async () => undefined }
    try {
      const response = await get(space, 'a.txt')
      expect([response.status, await response.json()]).toEqual([
        404,
        { error: expect.stringContaining('upload it again'), request_id: expect.any(String) },
      ])
    } finally {
      between.files = files
    }
    await space.json('DELETE', 'delete-file', { file_name: 'a.txt' })
    expect((await get(space, 'a.txt')).status).toBe(404)
  })

  it.each([
    [{}, 200, '50', 'y'.repeat(50)],
    [{ range: 'bytes=40-' }, 206, '10', 'y'.repeat(10)],
    [{ range: 'bytes=90000-' }, 416, expect.any(String), expect.stringContaining('50 bytes')],
  ])('is never a mixture of two uploads: with %j, %i', async (headers, status, length, body) => {
    const space = await scene('a.txt', 'x'.repeat(100_000))
    const { between, files } = gateway()
    let isReplaced = false
    between.files = {
      ...files,
      get: async (key, range) => {
        if (!isReplaced) {
          isReplaced = true
          await files.put(key, Buffer.from('y'.repeat(50)), { contentType: 'text/plain' })
        }
        return files.get(key, range)
      },
    }
    try {
      const response = await get(space, 'a.txt', headers)
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
        ...[status, length, body],
      ])
    } finally {
      between.files = files
    }
  })

  it('that ends early closes the connection, so that nobody takes the part for the whole', async () => {
    const space = await scene('a.txt', 'x'.repeat(300_000))
    const { between, files } = gateway()
    between.files = {
      ...files,
      get: async (key, range) => {
        const found = await files.get(key, range)
        found?.body.once('data', () => setImmediate(() => found.body.destroy(new Error('broken'))))
        return found
      },
    }
    try {
      await expect(get(space, 'a.txt').then((response) => response.text())).rejects.toThrow()
    } finally {
      between.files = files
    }
  })

  it('goes to 64 slow readers of an account at most, and at once to another account', async () => {
    const [mine, theirs] = [await scene('a.txt', 'x'.repeat(4_000_000)), await scene()]
    const { hostname, port, pathname } = new URL(mine.path(contentOf('a.txt')))
    // Each reads its headers and then nothing.
    const readers = Array.from({ length: 80 }, () =>
      request({ hostname, port, path: pathname, headers: { 'x-api-key': mine.apiKey } })
        .on('error', () => undefined)
        .end(),
    )
    const begun = (reader: (typeof readers)[number]) => new Promise((resolve) => reader.once('response', resolve))
    await Promise.all(readers.slice(0, 64).map(begun))
    expect(await (await get(theirs, 'a.txt')).text()).toBe(text)
    const status = await fetch(mine.path('files/a.txt/status'), { headers: { 'x-api-key': mine.apiKey } })
    expect(status.status).toBe(200)
    for (const reader of readers) reader.destroy()
    expect((await get(mine, 'a.txt', { range: 'bytes=0-1' })).status).toBe(206)
  })
})

it('leaves no file open (as /proc lists them), whenever a client leaves', async ({ skip }) => {
  skip(!existsSync('/proc/self/fd'), 'needs /proc, which Linux has')
  const space = await scene('a.txt', 'x'.repeat(4_000_000))
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  const { hostname, port, pathname } = new URL(space.path(contentOf('a.txt')))
  for (const afterMs of [0, 0, 1, 2, 3, 5, 8, 13, 21, 34])
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const one = request({ hostname, port, path: pathname, headers: { 'x-api-key': space.apiKey } })
        one.on('error', () => undefined).end()
        await delay(afterMs)
        one.destroy()
      }),
    )
  await expect.poll(open, { timeout: 5_000 }).toBeLessThanOrEqual(before + 4)
})

describe('a download URL', () => {
  const urlOf = async (space: Scene, name: string) => {
    const { status, body } = await space.call('POST', `files/${encodeURIComponent(name)}/download-url`)
    expect(status).toBe(200)
    return body as { download_url: string; expires_in: number; expires_at: string; file_name: string }
  }

  it('gives the file without a key for 15 minutes, with the headers of the file', async () => {
    const name = 'folder/日本 a%b.html'
    const space = await scene(name, '<p>x</p>')
    const body = await urlOf(space, name)
    expect(body).toEqual({
      file_name: name,
      download_url: expect.stringMatching(new RegExp(`^${gateway().url()}/v1/downloads/[\\w-]+$`)),
      expires_in: 900,
      expires_at: new Date(gateway().now() + 900_000).toISOString(),
    })
    const response = await fetch(body.download_url, { headers: { range: 'bytes=0-2' } })
    expect([response.status, await response.text()]).toEqual([206, '<p>'])
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    gateway().pass(899_999)
    expect((await fetch(body.download_url)).status).toBe(200)
    gateway().pass(1)
    expect((await fetch(body.download_url)).status).toBe(403)
  })

  it.each(['x', '"'])('serves names of the greatest length, of %s', async (character) => {
    const name = `${character.repeat(255)}/${'é'.repeat(125)}/${character.repeat(189)}.txt`
    const space = await scene(name)
    expect((await fetch((await urlOf(space, name)).download_url)).status).toBe(200)
  })

  it.each(['evil.example/x?', 'a b', 'user@evil.example', '"><script>', 'evil.example#', '[::1', 'a:99999'])(
    'does not begin with the Host header %j',
    async (host) => {
      const space = await scene()
      const { hostname, port, pathname } = new URL(space.path('files/a.txt/download-url'))
      const status = await new Promise((resolve, reject) =>
        request({ hostname, port, path: pathname, method: 'POST', headers: { host, 'x-api-key': space.apiKey } })
          .on('response', (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end(),
      )
      expect(status).toBe(400)
    },
  )

  it('shows no other file that is uploaded under the name of a deleted one', async () => {
    const space = await scene()
    const { download_url } = await urlOf(space, 'a.txt')
    await space.upload('a.txt', 'Other bytes of the same file.')
    expect(await (await fetch(download_url)).text()).toBe('Other bytes of the same file.')
    await space.json('DELETE', 'delete-file', { file_name: 'a.txt' })
    await space.upload('a.txt', 'Another file.')
    expect((await fetch(download_url)).status).toBe(404)
  })

  it('is no other one when it is changed', async () => {
    const { download_url: url } = await urlOf(await scene(), 'a.txt')
    for (const changed of [
      url.slice(0, -1),
      `${url}A`,
      url.replace(/.(.{10})$/, (m) => (m[0] === 'A' ? 'B' : 'A') + m.slice(1)),
    ]) {
      const response = await fetch(changed)
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: 'Forbidden', message: 'The URL is not a signed one', request_id: expect.any(String) },
      ])
    }
  })

  it.each(['revoked', 'disabled', 'inactive'] as const)('ends within seconds when its key is %s', async (state) => {
    const space = await scene()
    const apiKey = await space.keyWith({ scopes: ['read'] })
    const { body } = await space.call('POST', 'files/a.txt/download-url', { headers: { 'x-api-key': apiKey } })
    const url = String(body['download_url'])
    const keyId = parseApiKey(apiKey)?.keyId ?? ''
    expect((await fetch(url)).status).toBe(200)
    await gateway().store.keys.setState(keyId, state)
    gateway().pass(3_000)
    const refused = await fetch(url)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { message: 'The API key of the URL is no longer accepted; request a new download_url' },
    ])
    expect((await fetch((await urlOf(space, 'a.txt')).download_url)).status).toBe(200)
  })

  it('ends with the file and with the namespace, and needs the scope read', async () => {
    const space = await scene()
    await space.upload('b.txt', text)
    const [a, b] = [await urlOf(space, 'a.txt'), await urlOf(space, 'b.txt')]
    await space.json('DELETE', 'delete-file', { file_name: 'a.txt' })
    expect((await fetch(a.download_url)).status).toBe(404)
    await fetch(space.path('').replace(/\/$/, ''), { method: 'DELETE', headers: { 'x-api-key': space.apiKey } })
    expect((await fetch(b.download_url)).status).toBe(404)
    expect((await space.call('POST', 'files/none.txt/download-url')).status).toBe(404)
    const writer = await space.keyWith({ scopes: ['write'] })
    expect((await space.call('POST', 'files/b.txt/download-url', { headers: { 'x-api-key': writer } })).status).toBe(
      403,
    )
  })
})
