import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Answer, fault, found, scripted, xml } from './contract/scripted-s3.fixture.ts'
import { bytesOf, keysOf, plain, readAll, streamOf } from './contract/store.fixture.ts'

describe('requests to S3', () => {
  it('request uncompressed responses', async () => {
    const { store, seen } = await scripted(() => ({ ...found('x'), body: 'abc' }))
    const read = await store.get('a')
    if (read) await readAll(read.body)
    await store.head('a')
    expect(seen).toHaveLength(2)
    for (const { headers } of seen) expect(headers['accept-encoding'] ?? 'identity').toBe('identity')
  })
})

describe('open uploads of S3', () => {
  const ofKeys = (...keys: string[]) =>
    xml(
      `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>${keys.at(-1)}</NextKeyMarker><NextUploadIdMarker>${keys.length}</NextUploadIdMarker>${keys
        .map(
          (key, n) =>
            `<Upload><Key>${key}</Key><UploadId>${n + 1}</UploadId><Initiated>2026-01-01T00:00:00Z</Initiated></Upload>`,
        )
        .join('')}</ListMultipartUploadsResult>`,
    )
  const answering = async (...keys: string[]) => {
    const asked: (string | undefined)[] = []
    const { store } = await scripted((_, __, message) => {
      asked.push(message.url)
      return { status: 200, body: ofKeys(...keys), headers: { 'content-type': 'application/xml' } }
    })
    const page = await store.openMultiparts({ prefix: '', limit: 3 })
    if (page.next) await store.openMultiparts({ prefix: '', limit: 3, after: page.next })
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('max-uploads=3')
    return {
      ids: page.uploads.map(({ key, uploadId }) => `${key} ${uploadId}`),
      next: new URL(asked[1] ?? '', 'http://s3').searchParams,
    }
  }

  it('are listed a page at a time, the next from behind the last whole key', async () => {
    const { ids, next } = await answering('a', 'b', 'c')
    expect(ids).toEqual(['a 1', 'b 2'])
    expect([next.get('key-marker'), next.get('upload-id-marker')]).toEqual(['b', null])
  })

  it('of one key are listed from behind the last upload', async () => {
    const { ids, next } = await answering('b', 'b', 'b')
    expect(ids).toEqual(['b 1', 'b 2', 'b 3'])
    expect([next.get('key-marker'), next.get('upload-id-marker')]).toEqual(['b', '3'])
  })
})

describe('trouble with S3', () => {
  it.each([
    ['SlowDown', 503],
    ['InternalError', 500],
    ['XMinioStorageFull', 507],
    ['TooManyRequests', 429],
    ['NoSuchBucket', 404],
  ])('is unavailable: %s (%i)', async (code, status) => {
    const { store } = await scripted(() => fault(status, code), { attempts: 1 })
    await expect(store.list({ prefix: '', limit: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
    })
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.put('a', Buffer.from('a'), plain)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it.each([
    ['InvalidAccessKeyId', 403],
    ['SignatureDoesNotMatch', 403],
    ['AccessDenied', 403],
    ['PermanentRedirect', 301],
    ['NotImplemented', 501],
  ])('is a fault of the settings: %s (%i)', async (code, status) => {
    const { store, requests } = await scripted(() => fault(status, code))
    const refused = await store.list({ prefix: '', limit: 1 }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'internal', message: expect.stringContaining(code) })
    expect(String(refused)).not.toContain('the-secret')
    expect(requests()).toHaveLength(1)
  })

  it('leads to three attempts of safe requests', async () => {
    const { store, requests } = await scripted((_, count) => (count < 3 ? fault(500, 'InternalError') : found('x')))
    expect(await store.head('a')).toMatchObject({ etag: 'x', sizeBytes: 3, modifiedAt: Date.UTC(2026, 0, 1) })
    expect(requests()).toEqual(['HEAD a', 'HEAD a', 'HEAD a'])
  })

  it('is unavailable when the server is unreachable', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    const { store } = await scripted(() => 'cut', { endpoint: `http://127.0.0.1:${port}` })
    await expect(store.head('a')).rejects.toMatchObject({ code: 'unavailable' })
    const source = streamOf(Buffer.from('x'))
    await expect(store.put('a', source, plain)).rejects.toMatchObject({ code: 'unavailable' })
    expect(source.destroyed).toBe(true)
  })

  it('is unavailable when it does not answer in time', async () => {
    const { store } = await scripted(() => 'silent', { callTimeoutMs: 100 })
    await expect(store.head('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('within 100 ms'),
    })
    await expect(store.startMultipart('a', plain)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('aborts requests in progress when the store is closed', async () => {
    const { store, requests } = await scripted(() => 'silent')
    const calls = [
      store.head('a'),
      store.get('a'),
      store.put('a', Buffer.from('a'), plain),
      store.list({ prefix: '', limit: 1 }),
    ]
    const outcomes = Promise.all(calls.map((call) => call.catch((error: unknown) => error)))
    await expect.poll(requests).toHaveLength(4)
    await store.close()
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ code: 'unavailable', message: 'The file store is closed' })
  })
})

describe('body of an S3 object', () => {
  const content = bytesOf(200_000)
  const whole: Answer = { status: 200, body: content, headers: { etag: '"x"', 'content-length': '200000' } }

  it('is unavailable when the connection breaks in the middle', async () => {
    const { store } = await scripted((_, __, message, response) => {
      response.writeHead(200, whole.headers)
      response.write(content.subarray(0, 100_000), () => message.socket.destroy())
      return 'silent'
    })
    const object = await store.get('a')
    await expect(readAll(object?.body)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is unavailable when the server sends nothing more', async () => {
    const { store } = await scripted(
      (_, __, ___, response) => {
        response.writeHead(200, whole.headers)
        response.write(content.subarray(0, 1_000))
        return 'silent'
      },
      { stallTimeoutMs: 200 },
    )
    const object = await store.get('a')
    await expect(readAll(object?.body)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('for 200 ms'),
    })
  })

  it('has no time limit for a slow reader', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    // Larger than the buffers of a connection.
    const large = bytesOf(12_000_000)
    const answer = { status: 200, body: large, headers: { etag: '"x"', 'content-length': String(large.length) } }
    const { store } = await scripted(() => answer, { stallTimeoutMs: 300, callTimeoutMs: 500 })
    const object = await store.get('a')
    const chunks: Buffer[] = []
    for await (const chunk of object?.body ?? []) {
      chunks.push(chunk)
      if (chunks.length > 1) continue
      // The store has read ahead as far as the buffers go.
      while (vi.getTimerCount() > 0) await nextTurn()
      vi.advanceTimersByTime(60_000)
    }
    expect(Buffer.concat(chunks).equals(large)).toBe(true)
  })

  it('is rejected when its checksum differs', async () => {
    const { store } = await scripted(() => ({
      ...whole,
      headers: { ...whole.headers, 'x-amz-checksum-crc32': 'AAAAAA==' },
    }))
    const object = await store.get('a')
    await expect(readAll(object?.body)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/checksum/i),
    })
  })

  it('has the size of the whole object when a range is read', async () => {
    const { store } = await scripted(() => ({
      status: 206,
      body: content.subarray(10, 20),
      headers: { etag: '"x"', 'content-length': '10', 'content-range': 'bytes 10-19/200000' },
    }))
    const object = await store.get('a', { from: 10, to: 19 })
    expect(object?.file.sizeBytes).toBe(200_000)
    expect((await readAll(object?.body)).equals(content.subarray(10, 20))).toBe(true)
  })
})

describe('lists of S3', () => {
  it('are read unchanged if the store does not encode them', async () => {
    const { store } = await scripted(() => ({
      status: 200,
      body: xml(
        '<ListBucketResult><Contents><Key>a+b%20c&amp;d</Key><Size>1</Size></Contents><Contents><Key>folder/</Key></Contents></ListBucketResult>',
      ),
    }))
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['a+b%20c&d'])
  })

  it('report a file that could not be removed', async () => {
    const errors = (code: string): Answer => ({
      status: 200,
      body: xml(
        `<DeleteResult><Error><Key>a</Key><Code>${code}</Code><Message>because</Message></Error></DeleteResult>`,
      ),
    })
    for (const [code, expected] of [
      ['InternalError', 'unavailable'],
      ['AccessDenied', 'internal'],
    ] as const) {
      const { store } = await scripted(() => errors(code))
      await expect(store.remove(['a'])).rejects.toMatchObject({ code: expected })
    }
    const { store } = await scripted(() => errors('NoSuchKey'))
    await store.remove(['a'])
  })
})

describe('bucket of S3', () => {
  it('can be created by several processes at once', async () => {
    const { store, requests } = await scripted((request, count) => {
      if (request.startsWith('PUT')) return fault(409, 'BucketAlreadyOwnedByYou')
      return count === 1 ? { status: 404 } : { status: 200 }
    })
    await store.ensure()
    expect(requests()).toEqual(['HEAD ', 'PUT ', 'HEAD '])
  })

  it('is not created when access is denied', async () => {
    const { store, requests } = await scripted(() => ({ status: 403 }))
    await expect(store.ensure()).rejects.toMatchObject({ code: 'internal' })
    expect(requests()).toEqual(['HEAD '])
  })

  it('is in the host or in the path of signed URLs, at the public endpoint', async () => {
    const options = { publicEndpoint: 'https://files.example.com' }
    const inPath = await scripted(() => 'silent', options)
    const signed = await inPath.store.signPut('a b', { ...plain, expiresInSeconds: 60, sizeBytes: 7 })
    expect(signed).toMatch(/^https:\/\/files\.example\.com\/bucket\/a%20b\?/)
    expect(new URL(signed).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
    expect(new URL(signed).searchParams.get('X-Amz-Expires')).toBe('60')
    expect(signed).not.toMatch(/checksum/i)
    const inHost = await scripted(() => 'silent', { ...options, pathStyle: false })
    expect(await inHost.store.signPart('a', 'up', 3, { expiresInSeconds: 60 })).toMatch(
      /^https:\/\/bucket\.files\.example\.com\/a\?/,
    )
    expect([...inPath.requests(), ...inHost.requests()]).toEqual([])
  })
})
