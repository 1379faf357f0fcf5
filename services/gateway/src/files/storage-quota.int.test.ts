import { limits } from '@cairn/contracts/limits'
import { allMultiparts } from '@cairn/ports/file-store/contract/fixture'
import { describe, expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.contract.ts'

const gateway = useGateway({ tiers: { small: { bytes: 100 }, few: { openUploads: 2 }, roomy: { bytes: 2 * limits.leastPartBytes } } })
const day = 86_400_000

const scene = async (tier = 'small') => {
  const space = await gateway().open('text', tier)
  const { accountId, json, key } = space
  const ask = (file_name: string, file_size?: number) => json('POST', 'upload-url', { file_name, file_size })
  const addressOf = async (file_name: string, file_size?: number) => String((await ask(file_name, file_size)).body['upload_url'])
  const start = async (file_name: string, more: object = {}) => {
    const { status, body } = await json('POST', 'upload-multipart', { file_name, parts: 3, ...more })
    const parts = (body['parts'] ?? []) as readonly { readonly upload_url: string }[]
    return { status, body, uploadId: String(body['upload_id']), urls: parts.map(({ upload_url }) => upload_url) }
  }
  const stored = () => gateway().metadata.storedBytes(accountId, gateway().now())
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
      'Storage limit of the small tier reached: 100 of 100 bytes are stored or reserved. Delete files or upgrade.',
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
    expect(await gateway().metadata.grants.reserved(accountId, gateway().now())).toEqual({ bytes: 100, openUploads: 0 })
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
    // The name of a file that is there may be sent again: what it replaces does not count.
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
    const part = new Uint8Array(limits.leastPartBytes)
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
    expect(await stored()).toBe(2 * limits.leastPartBytes)
    expect(await ask('b.txt')).toMatchObject({ status: 403 })
    expect((await call('GET', 'list-files')).body).toMatchObject({
      file_count: 0,
      files: [],
      uploads: [
        {
          file_name: 'large.csv',
          upload_id: uploadId,
          size: 2 * limits.leastPartBytes,
          expires_at: new Date(gateway().now() + limits.uploadUrlSeconds * 1_000 + day).toISOString(),
        },
      ],
    })
    // Long after the addresses have expired they are there, and count.
    gateway().pass(day / 2)
    expect(await stored()).toBe(2 * limits.leastPartBytes)
    await json('POST', 'upload-multipart/abort', { file_name: 'large.csv', upload_id: uploadId })
    expect(await stored()).toBe(0)
    expect((await call('GET', 'list-files')).body['uploads']).toEqual([])
    expect((await call('GET', 'files/large.csv/status')).body['remedy']).not.toMatch(/upload-multipart/)
  })

  it('let an upload in parts be completed up to the limit, and keep its parts when it goes beyond', async () => {
    const { start, stored, upload, json, key } = await scene('roomy')
    const { uploadId, urls } = await start('large.csv')
    const part = new Uint8Array(limits.leastPartBytes)
    const etags: { part: number; etag: string | null }[] = []
    for (const [index, url] of urls.slice(0, 2).entries())
      etags.push({ part: index + 1, etag: (await put(url, part, {})).headers.get('etag') })
    const complete = () => json('POST', 'upload-multipart/complete', { file_name: 'large.csv', upload_id: uploadId, parts: etags })
    // As after a reservation that has ended before its parts were removed.
    await gateway().metadata.grants.release(key('').split('/')[1] ?? '', 'large.csv')
    await upload('b.txt', 'x')
    expect(await complete()).toMatchObject({ status: 403, body: { error: expect.stringMatching(/^Storage limit of the roomy tier/) } })
    expect(await allMultiparts(gateway().files, key('large.csv'))).toHaveLength(1)
    await json('DELETE', 'delete-file', { file_name: 'b.txt' })
    expect(await complete()).toMatchObject({ status: 200 })
    expect(await stored()).toBe(2 * limits.leastPartBytes)
  })
})

describe('open uploads of unannounced size', () => {
  it('are at most so many, until they have arrived or expired', async () => {
    const { ask, addressOf, upload, start } = await scene('few')
    const url = await addressOf('a.txt')
    expect(await ask('b.txt')).toMatchObject({ status: 200 })
    const tooMany = { status: 403, body: { error: expect.stringMatching(/^Limit of open uploads of the few tier reached: 2 of 2 /) } }
    expect(await ask('c.txt')).toMatchObject(tooMany)
    expect(await start('c.csv')).toMatchObject(tooMany)
    // Another address for the same file is no other upload, and one of a known size is none of these.
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
    const { metadata } = gateway()
    const file = await record('a.txt')
    if (!file) throw new Error('there is no record')
    const lease = { jobId: file.id, token: 'lease' }
    await metadata.files.lease(file.id, lease.token)
    await metadata.files.fail(lease, { version: file.version, reason: 'damaged', message: 'm', at: gateway().now() })
    await metadata.files.complete(lease, { times: {}, at: gateway().now() })
    expect((await call('GET', 'files/a.txt/status')).body).toMatchObject({ state: 'failed', bytes_removed_at: null })
    await metadata.files.bytesRemoved(file, gateway().now())
    const at = new Date(gateway().now()).toISOString()
    expect((await call('GET', 'files/a.txt/status')).body).toMatchObject({ state: 'failed', reason: 'damaged', bytes_removed_at: at })
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
