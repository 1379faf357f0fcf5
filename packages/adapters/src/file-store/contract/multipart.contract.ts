import type { FileStore } from '@cairn/domain/ports/file-store'
import { expect } from 'vitest'
import {
  allMultiparts,
  bytesOf,
  keysOf,
  partBytes,
  plain,
  readAll,
  type Scene,
  send,
  sha256,
  signedPart,
  textOf,
} from './store.fixture.ts'

const forAnHour = { expiresInSeconds: 3_600 }

const sendPart = async (store: FileStore, key: string, uploadId: string, part: number, body: Uint8Array) => {
  const answer = await send(await signedPart(store, key, uploadId, part, forAnHour), body)
  expect(answer.status).toBe(200)
  return { part, etag: answer.etag }
}

/** Contract of multipart uploads whose parts a client sends. */
export const multipartContract = ({ of, files }: Scene): void => {
  of('multipart', 'puts parts together in the order of their numbers', async () => {
    const store = await files(['a'])
    const contents = [bytesOf(partBytes, 1), bytesOf(partBytes + 1, 2), bytesOf(1_000, 3)] as const
    const uploadId = await store.startMultipart('a', { contentType: 'application/pdf' })
    const third = await sendPart(store, 'a', uploadId, 7, contents[2])
    const first = await sendPart(store, 'a', uploadId, 2, contents[0])
    const second = await sendPart(store, 'a', uploadId, 3, contents[1])
    expect(await textOf(store, 'a')).toBe('a')

    const stored = await store.completeMultipart('a', uploadId, [
      second,
      third,
      { ...first, etag: first.etag.replaceAll('"', '') },
    ])
    const whole = Buffer.concat(contents)
    expect(stored).toMatchObject({ key: 'a', sizeBytes: whole.length, etag: expect.stringMatching(/^[^"]+$/) })
    expect(await store.head('a')).toEqual({ ...stored, contentType: 'application/pdf' })
    expect(sha256(await readAll((await store.get('a'))?.body))).toBe(sha256(whole))
    await expect(store.completeMultipart('a', uploadId, [first])).rejects.toMatchObject({ code: 'notFound' })
  })

  of('multipart', 'adds up the bytes of the parts that are stored', async () => {
    const store = await files()
    const uploadId = await store.startMultipart('a', plain)
    expect(await store.multipartBytes('a', uploadId)).toBe(0)
    await sendPart(store, 'a', uploadId, 1, Buffer.from('small'))
    const last = await sendPart(store, 'a', uploadId, 4, bytesOf(1_000))
    expect(await store.multipartBytes('a', uploadId)).toBe(1_005)
    for (const [key, id] of [
      ['a', 'unknown'],
      ['b', uploadId],
    ] as const)
      expect(await store.multipartBytes(key, id)).toBeUndefined()
    await store.completeMultipart('a', uploadId, [last])
    expect(await store.multipartBytes('a', uploadId)).toBeUndefined()
  })

  of('replacedParts', 'uses the latest content of a part that was sent twice', async () => {
    const store = await files()
    const uploadId = await store.startMultipart('a', plain)
    await sendPart(store, 'a', uploadId, 1, Buffer.from('replaced'))
    const last = await sendPart(store, 'a', uploadId, 1, Buffer.from('small'))
    expect(await store.multipartBytes('a', uploadId)).toBe(5)
    await store.completeMultipart('a', uploadId, [last])
    expect(await textOf(store, 'a')).toBe('small')
  })

  of('multipart', 'accepts a single small part, because it is the last', async () => {
    const store = await files()
    const uploadId = await store.startMultipart('a', plain)
    const part = await sendPart(store, 'a', uploadId, 1, Buffer.from('small'))
    await store.completeMultipart('a', uploadId, [part])
    expect(await textOf(store, 'a')).toBe('small')
  })

  of('multipart', 'rejects parts that are missing, changed, listed twice or too small', async () => {
    const store = await files()
    const uploadId = await store.startMultipart('a', plain)
    const first = await sendPart(store, 'a', uploadId, 1, Buffer.from('small'))
    const second = await sendPart(store, 'a', uploadId, 2, Buffer.from('small too'))
    for (const parts of [
      [],
      [first, second],
      [{ part: 2, etag: first.etag }],
      [{ part: 1, etag: 'ffffffffffffffffffffffffffffffff' }],
      [second, { part: 3, etag: second.etag }],
      [second, second],
      [{ part: 0, etag: first.etag }],
    ]) {
      await expect(store.completeMultipart('a', uploadId, parts)).rejects.toMatchObject({ code: 'invalid' })
    }
    expect(await store.head('a')).toBeUndefined()
    await store.completeMultipart('a', uploadId, [second])
    expect(await textOf(store, 'a')).toBe('small too')
  })

  of('multipart', 'rejects parts that exceed the limit together, and replaces nothing', async () => {
    const store = await files(['a'])
    const uploadId = await store.startMultipart('a', plain)
    const first = await sendPart(store, 'a', uploadId, 1, bytesOf(partBytes))
    const last = await sendPart(store, 'a', uploadId, 2, Buffer.from('rest'))
    await sendPart(store, 'a', uploadId, 3, Buffer.from('not chosen'))
    const size = partBytes + 4
    for (const maxBytes of [0, partBytes, size - 1]) {
      await expect(store.completeMultipart('a', uploadId, [first, last], { maxBytes })).rejects.toMatchObject({
        code: 'tooLarge',
      })
    }
    for (const maxBytes of [-1, 0.5, Number.NaN]) {
      await expect(store.completeMultipart('a', uploadId, [last], { maxBytes })).rejects.toMatchObject({
        code: 'invalid',
      })
    }
    expect(await textOf(store, 'a')).toBe('a')
    expect(await store.completeMultipart('a', uploadId, [first, last], { maxBytes: size })).toMatchObject({
      sizeBytes: size,
    })

    const small = await store.startMultipart('a', plain)
    const only = await sendPart(store, 'a', small, 1, Buffer.from('small'))
    await store.completeMultipart('a', small, [only], { maxBytes: 6 })
    expect(await textOf(store, 'a')).toBe('small')
  })

  of('multipart', 'removes an aborted upload, and rejects later parts of it', async () => {
    const store = await files(['a'])
    const uploadId = await store.startMultipart('a', plain)
    const part = await sendPart(store, 'a', uploadId, 1, Buffer.from('x'))
    const request = await signedPart(store, 'a', uploadId, 2, forAnHour)
    await store.abortMultipart('a', uploadId)
    await store.abortMultipart('a', uploadId)
    expect(await allMultiparts(store, '')).toEqual([])
    const late = await send(request, 'late')
    expect(late.status).toBe(404)
    expect(late.text).toContain('<Code>NoSuchUpload</Code>')
    await expect(store.completeMultipart('a', uploadId, [part])).rejects.toMatchObject({ code: 'notFound' })
    expect(await textOf(store, 'a')).toBe('a')
  })

  of('multipart', 'does not know an upload by another id or key', async () => {
    const store = await files()
    const uploadId = await store.startMultipart('a', plain)
    const part = await sendPart(store, 'a', uploadId, 1, Buffer.from('x'))
    await expect(store.completeMultipart('b', uploadId, [part])).rejects.toMatchObject({ code: 'notFound' })
    await expect(store.completeMultipart('a', 'unknown', [part])).rejects.toMatchObject({ code: 'notFound' })
    await store.abortMultipart('a', 'unknown')
    await store.abortMultipart('b', uploadId)
    expect(await allMultiparts(store, '')).toHaveLength(1)
    await store.completeMultipart('a', uploadId, [part])
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['a'])
  })

  of('multipart', 'refuses a part under another number, another key or an altered signature', async () => {
    const store = await files()
    const uploadId = await store.startMultipart('mine', plain)
    const request = await signedPart(store, 'mine', uploadId, 1, forAnHour)
    for (const url of [
      request.url.replace(/(part(?:Number)?=)1/i, '$12'),
      request.url.replace('/mine?', '/other?'),
      request.url.replace(
        /(Signature=.{9})(.)/,
        (_, start: string, mark: string) => `${start}${mark === 'a' ? 'b' : 'a'}`,
      ),
    ]) {
      expect(url).not.toBe(request.url)
      expect((await send(request, 'x', { url })).status).toBe(403)
    }
    expect((await send(request, 'x')).status).toBe(200)
    await store.abortMultipart('mine', uploadId)
  })

  of('openMultiparts', 'lists each open upload once, whatever the page size', async () => {
    const store = await files()
    const ids: string[] = []
    for (const key of ['b', 'a', 'a', 'a', 'c/d', 'c/e', 'ü']) ids.push(await store.startMultipart(key, plain))
    for (const limit of [4, 5, 7, 1_000]) {
      const found = await allMultiparts(store, '', limit)
      expect(found.map(({ uploadId }) => uploadId).toSorted()).toEqual(ids.toSorted())
    }
    expect(keysOf(await allMultiparts(store, 'c/', 4)).toSorted()).toEqual(['c/d', 'c/e'])
    for (const { key, uploadId } of await allMultiparts(store, '', 4)) await store.abortMultipart(key, uploadId)
    expect(await allMultiparts(store, '')).toEqual([])
  })

  of('openMultiparts', 'lists open uploads by prefix', async () => {
    const store = await files()
    const before = Date.now()
    const ids = new Map<string, string>()
    for (const key of ['a/1', 'a/2', 'a/2', 'ab', 'ü/😀 +&=%']) ids.set(await store.startMultipart(key, plain), key)
    const open = async (prefix: string) => {
      const found = await allMultiparts(store, prefix)
      for (const { key, uploadId, startedAt } of found) {
        expect(ids.get(uploadId)).toBe(key)
        expect(Math.abs(startedAt - before)).toBeLessThan(365 * 24 * 3_600_000)
      }
      return keysOf(found).toSorted()
    }
    expect(await open('')).toEqual([...ids.values()].toSorted())
    expect(await open('a/')).toEqual(['a/1', 'a/2', 'a/2'])
    expect(await open('a/2')).toEqual(['a/2', 'a/2'])
    expect(await open('a')).toEqual(['a/1', 'a/2', 'a/2', 'ab'])
    expect(await open('ü/')).toEqual(['ü/😀 +&=%'])
    expect(await open('b')).toEqual([])
    expect(await store.list({ prefix: '', limit: 10 })).toEqual([])
    for (const [uploadId, key] of ids) await store.abortMultipart(key, uploadId)
    expect(await open('')).toEqual([])
  })
}
