import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { allMultiparts } from '@cairn/adapters/file-store/contract/store.fixture'
import { limits } from '@cairn/contracts/limits'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway({
  tiers: { small: { bytes: 100 }, few: { openUploads: 2 }, roomy: { bytes: 2 * limits.minPartBytes } },
})
const day = 86_400_000

const scene = async (tier = 'small') => {
  const space = await gateway().open('text', tier)
  const { accountId, json, key } = space
  const ask = (file_name: string, file_size?: number) => json('POST', 'upload-url', { file_name, file_size })
  const addressOf = async (file_name: string, file_size?: number) =>
    String((await ask(file_name, file_size)).body['upload_url'])
  const start = async (file_name: string, more: object = {}) => {
    const { status, body } = await json('POST', 'upload-multipart', { file_name, parts: 3, ...more })
    const parts = (body['parts'] ?? []) as readonly { readonly upload_url: string }[]
    return { status, body, uploadId: String(body['upload_id']), urls: parts.map(({ upload_url }) => upload_url) }
  }
  const stored = () => gateway().store.storedBytes(accountId, gateway().now())
  const isThere = async (name: string) => (await gateway().files.head(key(name))) !== undefined
  return { ...space, ask, addressOf, start, stored, isThere }
}

const bytes = (count: number) => 'x'.repeat(count)
const overQuota = { status: 403, body: { error: expect.stringMatching(/^Storage limit of the small tier reached: /) } }
const refusedPut = { status: 403, text: expect.stringContaining('<Code>QuotaExceeded</Code>') }

describe('the bytes an account may store', () => {
  it('are those of its forms, up to the limit and not one more', async () => {
    const { upload, stored, isThere, record } = await scene()
    expect(await upload('a.txt', bytes(60))).toMatchObject({ status: 200 })
    expect((await upload('b.txt', bytes(41))).body['error']).toBe(
      'Storage limit of the small tier reached: 60 of 100 bytes are stored or reserved, and 41 more do not fit. Delete files or upgrade.',
    )
    expect([await stored(), await isThere('b.txt'), await record('b.txt')]).toEqual([60, false, undefined])
    expect(await upload('b.txt', bytes(39))).toMatchObject({ status: 200 })
    expect(await upload('c.txt', bytes(1))).toMatchObject({ status: 200 })
    const refused = await upload('d.txt', bytes(1))
    expect(refused).toMatchObject(overQuota)
    expect(refused.body['error']).toBe(
      'Storage limit of the small tier reached: 100 of 100 bytes are stored or reserved, and 1 more do not fit. Delete files or upgrade.',
    )
    expect(await stored()).toBe(100)
  })

  it('leave what is stored under a name as it is when a larger one is refused, and count it no more once it is deleted', async () => {
    const { upload, json, stored, key } = await scene()
    await upload('a.txt', bytes(100))
    expect(await upload('a.txt', bytes(101))).toMatchObject(overQuota)
    expect(await gateway().files.head(key('a.txt'))).toMatchObject({ sizeBytes: 100 })
    expect(await stored()).toBe(100)
    expect(await upload('a.txt', 'y'.repeat(100))).toMatchObject({ status: 200 })
    await json('DELETE', 'delete-file', { file_name: 'a.txt' })
    expect(await stored()).toBe(0)
    expect(await upload('b.txt', bytes(100))).toMatchObject({ status: 200 })
  })

  it('are reserved by an address for a file of announced size, until it expires', async () => {
    const { ask, stored, grant, call, accountId } = await scene()
    expect(await ask('a.txt', 101)).toMatchObject(overQuota)
    expect(await grant('a.txt')).toBeUndefined()
    expect(await ask('a.txt', 99)).toMatchObject({ status: 200 })
    expect(await ask('b.txt', 2)).toMatchObject(overQuota)
    expect(await ask('b.txt', 1)).toMatchObject({ status: 200 })
    expect(await ask('c.txt')).toMatchObject(overQuota)
    const expires_at = new Date(gateway().now() + limits.uploadUrlSeconds * 1_000).toISOString()
    expect((await call('GET', 'list-files')).body).toMatchObject({
      files: [],
      uploads: [
        { file_name: 'a.txt', upload_id: null, size: 99, expires_at },
        { file_name: 'b.txt', upload_id: null, size: 1, expires_at },
      ],
    })
    expect(await gateway().store.grants.reserved(accountId, gateway().now())).toEqual({ bytes: 100, openUploads: 0 })
    gateway().pass(limits.uploadUrlSeconds * 1_000)
    expect(await stored()).toBe(0)
    expect(await ask('b.txt', 100)).toMatchObject({ status: 200 })
  })

  it('are not reserved by an address without a size, which is refused once they are reached', async () => {
    const { ask, upload, stored } = await scene()
    await upload('a.txt', bytes(99))
    expect(await ask('b.txt')).toMatchObject({ status: 200 })
    expect(await stored()).toBe(99)
    await upload('c.txt', bytes(1))
    expect(await ask('d.txt')).toMatchObject(overQuota)
    // An existing file may be replaced: its own bytes are not counted.
    expect(await ask('a.txt')).toMatchObject({ status: 200 })
  })

  it('refuse a PUT by its announced length, before its bytes come', async () => {
    const { addressOf, upload, isThere, stored } = await scene()
    const url = await addressOf('a.txt')
    await upload('b.txt', bytes(50))
    expect(await put(url, bytes(51))).toMatchObject(refusedPut)
    expect([await isThere('a.txt'), await stored()]).toEqual([false, 50])
    expect(await put(url, bytes(50))).toMatchObject({ status: 200 })
    expect([await isThere('a.txt'), await stored()]).toEqual([true, 100])
    expect(await put(await addressOf('b.txt'), bytes(51))).toMatchObject(refusedPut)
    expect(await put(await addressOf('b.txt'), bytes(49))).toMatchObject({ status: 200 })
    expect(await stored()).toBe(99)
  })

  it('are those of parts as well, whoever sends them', async () => {
    const { start, stored, ask, json, call } = await scene('roomy')
    const { uploadId, urls } = await start('large.csv')
    const part = new Uint8Array(limits.minPartBytes)
    const [first, second, third] = urls.map(String)
    expect(await put(String(first), part, {})).toMatchObject({ status: 200 })
    expect(await put(String(second), part, {})).toMatchObject({ status: 200 })
    const refused = await put(String(third), 'x', {})
    expect(refused).toMatchObject(refusedPut)
    expect(refused.text).toMatch(/10,485,760 of 10,485,760 bytes are stored or reserved, and 1 more do not fit/)
    expect((await call('GET', 'files/large.csv/status')).body).toMatchObject({
      state: 'awaiting_upload',
      remedy: expect.stringMatching(/upload-multipart\/complete/),
    })
    expect(await stored()).toBe(2 * limits.minPartBytes)
    expect(await ask('b.txt')).toMatchObject({ status: 403 })
    expect((await call('GET', 'list-files')).body).toMatchObject({
      file_count: 0,
      files: [],
      uploads: [
        {
          file_name: 'large.csv',
          upload_id: uploadId,
          size: 2 * limits.minPartBytes,
          expires_at: new Date(gateway().now() + limits.uploadUrlSeconds * 1_000 + day).toISOString(),
        },
      ],
    })
    // The parts outlive their upload URLs, and are counted.
    gateway().pass(day / 2)
    expect(await stored()).toBe(2 * limits.minPartBytes)
    await json('POST', 'upload-multipart/abort', { file_name: 'large.csv', upload_id: uploadId })
    expect(await stored()).toBe(0)
    expect((await call('GET', 'list-files')).body['uploads']).toEqual([])
    expect((await call('GET', 'files/large.csv/status')).body['remedy']).not.toMatch(/upload-multipart/)
  })

  it('let an upload in parts be completed up to the limit, and keep its parts when it goes beyond', async () => {
    const { start, stored, upload, json, key } = await scene('roomy')
    const { uploadId, urls } = await start('large.csv')
    const part = new Uint8Array(limits.minPartBytes)
    const etags: { part: number; etag: string | null }[] = []
    for (const [index, url] of urls.slice(0, 2).entries())
      etags.push({ part: index + 1, etag: (await put(url, part, {})).headers.get('etag') })
    const complete = () =>
      json('POST', 'upload-multipart/complete', { file_name: 'large.csv', upload_id: uploadId, parts: etags })
    // The reservation has ended, but the uploaded parts are not removed yet.
    gateway().pass(3 * day)
    await upload('b.txt', 'x')
    expect(await complete()).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/^Storage limit of the roomy tier/) },
    })
    expect(await allMultiparts(gateway().files, key('large.csv'))).toHaveLength(1)
    await json('DELETE', 'delete-file', { file_name: 'b.txt' })
    expect(await complete()).toMatchObject({ status: 200 })
    expect(await stored()).toBe(2 * limits.minPartBytes)
  })
})

describe('open uploads of unannounced size', () => {
  it('are at most so many, until they have arrived or expired', async () => {
    const { ask, addressOf, upload, start } = await scene('few')
    const url = await addressOf('a.txt')
    expect(await ask('b.txt')).toMatchObject({ status: 200 })
    const tooMany = {
      status: 403,
      body: { error: expect.stringMatching(/^Limit of open uploads of the few tier reached: 2 of 2 /) },
    }
    expect(await ask('c.txt')).toMatchObject(tooMany)
    expect(await start('c.csv')).toMatchObject(tooMany)
    // A second upload URL for the same file is the same upload. Uploads of known size do not count toward this limit.
    expect(await ask('b.txt')).toMatchObject({ status: 200 })
    expect(await ask('c.txt', 5)).toMatchObject({ status: 200 })
    expect(await upload('d.txt', 'a form')).toMatchObject({ status: 200 })
    expect(await put(url, 'here')).toMatchObject({ status: 200 })
    expect(await ask('e.txt')).toMatchObject({ status: 200 })
    expect(await ask('f.txt')).toMatchObject(tooMany)
    gateway().pass(limits.uploadUrlSeconds * 1_000)
    expect(await ask('f.txt')).toMatchObject({ status: 200 })
  })
})

describe('a failed file whose bytes were removed', () => {
  it('says so, is not processed again, and can be uploaded again', async () => {
    const { upload, call, record, stored } = await scene()
    await upload('a.txt', bytes(9))
    const { store } = gateway()
    const file = await record('a.txt')
    if (!file) throw new Error('there is no record')
    const lease = { jobId: file.id, token: 'lease' }
    await store.files.lease(file.id, lease.token)
    await store.files.fail(lease, { version: file.version, reason: 'damaged', message: 'm', at: gateway().now() })
    await store.files.complete(lease, { times: {}, at: gateway().now() })
    expect((await call('GET', 'files/a.txt/status')).body).toMatchObject({ state: 'failed', bytes_removed_at: null })
    await store.files.recordBytesRemoved(file, gateway().now())
    const at = new Date(gateway().now()).toISOString()
    expect((await call('GET', 'files/a.txt/status')).body).toMatchObject({
      state: 'failed',
      reason: 'damaged',
      bytes_removed_at: at,
    })
    expect(await call('POST', 'files/a.txt/retry')).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/upload it again/) },
    })
    expect(await stored()).toBe(0)
    gateway().pass(1)
    await upload('a.txt', bytes(9))
    expect((await call('GET', 'files/a.txt/status')).body).toMatchObject({ state: 'queued', bytes_removed_at: null })
  })
})

/** Begins a PUT of `length` bytes; resolves once the gateway has admitted it, before a byte is sent. */
const beginPut = async (url: string, length: number, type?: string): Promise<ClientRequest> => {
  const headers = {
    expect: '100-continue',
    'content-length': length,
    ...(type === undefined ? {} : { 'content-type': type }),
  }
  const request = httpRequest(url, { method: 'PUT', headers }).on('error', () => undefined)
  request.flushHeaders()
  await once(request, 'continue')
  return request
}

describe('uploads at once', () => {
  it('fill what is left to the last byte, and errors report the stored bytes', async () => {
    const { upload, stored } = await scene()
    const answers = await Promise.all(Array.from({ length: 24 }, (_, turn) => upload(`f${turn}.txt`, bytes(10))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const { status, body } of answers)
      if (status !== 200) expect(body['error']).toMatch(/reached: (\d\d|100) of 100 bytes/)
    expect(await stored()).toBe(100)
  })

  const started = async (tier: string, parts: number) => {
    const space = await scene(tier)
    const { urls, uploadId } = await space.start('large.csv', { parts })
    return { ...space, urls, uploadId }
  }
  const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).toSorted()

  it('of parts store no more than the limit', async () => {
    const { urls, stored, uploadId, key } = await started('small', 8)
    const answers = await Promise.all(urls.map((url) => put(url, bytes(90), {})))
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: 7 }, () => 403)])
    expect([await stored(), await gateway().files.multipartBytes(key('large.csv'), uploadId)]).toEqual([90, 90])
  })

  it('of one name leave one multipart upload, and no other takes parts', async () => {
    const { start, key, stored } = await scene()
    const begun = (await Promise.all(Array.from({ length: 8 }, () => start('q.csv', { parts: 2 })))).filter(
      ({ status }) => status === 200,
    )
    const open = await allMultiparts(gateway().files, key('q.csv'))
    expect(open).toHaveLength(1)
    const answers = []
    for (const { urls } of begun) for (const url of urls) answers.push(await put(url, bytes(45), {}))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ text }) => text.includes('<Code>NoSuchUpload</Code>'))).toHaveLength(answers.length - 2)
    expect(await stored()).toBe(90)
  })

  it('of a form, good or broken, leave what parts of the same name have stored counted', async () => {
    const { urls, upload, stored, call } = await started('small', 1)
    expect(await put(String(urls[0]), bytes(60), {})).toMatchObject({ status: 200 })
    expect(await upload('large.csv', bytes(30))).toMatchObject({ status: 200 })
    expect(await stored()).toBe(90)
    const body = '--B\r\ncontent-disposition: form-data; name="file"; filename="large.csv"\r\n\r\nabc'
    const broken = await call('POST', 'upload-file', {
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
    })
    expect(broken.status).toBe(400)
    expect(await stored()).toBe(90)
    expect(await upload('b.txt', bytes(11))).toMatchObject(overQuota)
    expect(await upload('b.txt', bytes(10))).toMatchObject({ status: 200 })
  })

  it('of an address and a multipart upload of one name lose neither', async () => {
    const { start, ask, upload, grant } = await scene('roomy')
    for (let round = 0; round < 12; round += 1) {
      const name = `n${round}.csv`
      const [{ uploadId, urls }] = await Promise.all([
        start(name, { parts: 1 }),
        ask(name),
        ask(name),
        upload(name, 'a form'),
      ])
      expect(await grant(name)).toMatchObject({ uploadId })
      expect(await put(String(urls[0]), 'a part', {})).toMatchObject({ status: 200 })
    }
  })

  it('are refused before they replace what is there, however the address is renewed meanwhile', async () => {
    const { upload, addressOf, ask, stored, key, record } = await scene()
    await upload('x.txt', 'some text')
    const slow = await beginPut(await addressOf('x.txt'), 90, 'text/plain')
    slow.write(bytes(80))
    const answered = once(slow, 'response')
    expect(await upload('y.txt', bytes(10))).toMatchObject(overQuota)
    await ask('x.txt', 1)
    expect(await upload('y.txt', bytes(92))).toMatchObject(overQuota)
    slow.end(bytes(10))
    const [response] = await answered
    expect((response as IncomingMessage).resume().statusCode).toBe(200)
    expect(await stored()).toBe(90 + ((await record('y.txt'))?.bytes ?? 0))
    expect(await gateway().files.head(key('x.txt'))).toMatchObject({ sizeBytes: 90 })
    expect(await record('x.txt')).toMatchObject({ outcome: null, object: { sizeBytes: 90 } })
  })

  it('that break off, or are sent after an abort, reserve nothing', async () => {
    const { urls, uploadId, stored, json, upload } = await started('small', 1)
    const part = httpRequest(new URL(String(urls[0])), { method: 'PUT', headers: { 'content-length': 90 } }).on(
      'error',
      () => undefined,
    )
    part.write(bytes(10))
    await eventually(
      async () => (await upload('b.txt', bytes(20))).status,
      (status) => status === 403,
      { withinMs: 5_000, everyMs: 50 },
    )
    part.destroy()
    await eventually(
      async () => (await upload('b.txt', bytes(20))).status,
      (status) => status === 200,
      { withinMs: 5_000, everyMs: 50 },
    )
    await json('POST', 'upload-multipart/abort', { file_name: 'large.csv', upload_id: uploadId })
    expect(await put(String(urls[0]), bytes(50), {})).toMatchObject({ status: 404 })
    expect(await stored()).toBe(20)
  })

  it('are at most 64 of an account, and a further one is received once one of them has ended', async () => {
    const { addressOf, isThere } = await scene('enterprise')
    const url = await addressOf('a.txt')
    const slow = await Promise.all(Array.from({ length: 64 }, () => beginPut(url, 9, 'text/plain')))
    const waiting = put(await addressOf('b.txt'), 'x')
    const other = await scene('enterprise')
    expect(await put(await other.addressOf('a.txt'), 'x')).toMatchObject({ status: 200 })
    expect(await isThere('b.txt')).toBe(false)
    const more = Array.from({ length: 63 }, () => put(url, 'x'))
    await eventually(
      async () => (await put(url, 'x')).text,
      (text) => text.includes('<Code>ServiceUnavailable</Code>'),
      { withinMs: 5_000 },
    )
    slow[0]?.destroy()
    expect(await waiting).toMatchObject({ status: 200 })
    for (const request of slow) request.destroy()
    expect((await Promise.all(more)).map(({ status }) => status)).toEqual(more.map(() => 200))
  })

  it('that were announced take what was reserved for them, side by side', async () => {
    const { addressOf, stored } = await scene()
    const urls = [await addressOf('a.txt', 50), await addressOf('b.txt', 50)]
    const slow = await Promise.all(urls.map((url) => beginPut(url, 50, 'text/plain')))
    for (const request of slow) request.end(bytes(50))
    const answers = await Promise.all(
      slow.map(async (request) => (await once(request, 'response'))[0] as IncomingMessage),
    )
    expect(answers.map((answer) => answer.resume().statusCode)).toEqual([200, 200])
    expect(await stored()).toBe(100)
  })

  it('of parts are counted once, also where a sweep registers the object before the upload is known to be complete', async () => {
    const { start, json, key, namespaceId, stored, record } = await scene('roomy')
    const { uploadId, urls } = await start('large.csv', { parts: 2 })
    const etags: { part: number; etag: string | null }[] = []
    for (const [index, url] of urls.entries())
      etags.push({
        part: index + 1,
        etag: (await put(url, new Uint8Array(limits.minPartBytes), {})).headers.get('etag'),
      })
    const { files, store, between, now } = gateway()
    between.files = {
      ...files,
      completeMultipart: async (...of) => {
        const object = await files.completeMultipart(...of)
        const { accountId } = (await store.grants.get(namespaceId, 'large.csv')) ?? { accountId: '' }
        const input = {
          fileId: 'file-1',
          version: 'fver-1',
          accountId,
          namespaceId,
          name: 'large.csv',
          idBase: 'large.csv',
          key: key('large.csv'),
        }
        const limit = 2 * limits.minPartBytes
        await store.files.register({ ...input, object, limit, correlationId: 'c', traceparent: null, at: now() })
        return object
      },
    }
    const done = await json('POST', 'upload-multipart/complete', {
      file_name: 'large.csv',
      upload_id: uploadId,
      parts: etags,
    })
    between.files = files
    expect(done).toMatchObject({ status: 200 })
    expect(await record('large.csv')).toMatchObject({ outcome: null, bytes: 2 * limits.minPartBytes })
    expect(await stored()).toBe(2 * limits.minPartBytes)
  })

  it('of parts count as before after a completion that was refused, and no more once the file is deleted', async () => {
    const { start, json, stored } = await scene('roomy')
    const { uploadId, urls } = await start('large.csv', { parts: 1 })
    await put(String(urls[0]), bytes(60), {})
    const complete = { file_name: 'large.csv', upload_id: uploadId, parts: [{ part: 1, etag: 'another' }] }
    expect((await json('POST', 'upload-multipart/complete', complete)).status).toBe(400)
    expect(await stored()).toBe(60)
    await json('DELETE', 'delete-file', { file_name: 'large.csv' })
    expect(await stored()).toBe(0)
  })
})
