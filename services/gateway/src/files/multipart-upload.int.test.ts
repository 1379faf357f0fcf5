import { allMultiparts } from '@cairn/adapters/file-store/contract/store.fixture'
import { limits } from '@cairn/contracts/limits'
import { describe, expect, it, onTestFinished } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()
type Parts = readonly { readonly part: number; readonly upload_url: string }[]

const scene = async (file_name = 'large.csv') => {
  const space = await gateway().open()
  const start = async (more: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await space.json('POST', 'upload-multipart', { file_name, ...more })
    return { status, body, uploadId: String(body['upload_id']), parts: (body['parts'] ?? []) as Parts }
  }
  const complete = (upload_id: string, parts: unknown, name = file_name) =>
    space.json('POST', 'upload-multipart/complete', { file_name: name, upload_id, parts })
  const abort = (upload_id: string) => space.json('POST', 'upload-multipart/abort', { file_name, upload_id })
  const send = async (url: string | undefined, bytes: string | Uint8Array<ArrayBuffer>) => {
    const { status, headers } = await put(String(url), bytes, {})
    expect(status).toBe(200)
    return headers.get('etag')
  }
  return { ...space, start, complete, abort, send }
}

describe('an upload in parts', () => {
  it('ends as a file that is processed', async () => {
    const { start, complete, send, key, record, namespace } = await scene()
    const { status, body, uploadId, parts } = await start({ parts: 2 })
    expect(status).toBe(200)
    expect(body).toEqual({
      upload_id: uploadId,
      key: key('large.csv'),
      content_type: 'text/csv',
      method: 'PUT',
      part_size: 8 * 1024 * 1024,
      expires_in: 900,
      parts: [1, 2].map((part) => ({ part, upload_url: expect.any(String) })),
      hint: expect.any(String),
    })
    const first = await send(parts[0]?.upload_url, Buffer.alloc(limits.minPartBytes, 'a'))
    const second = await send(parts[1]?.upload_url, 'the rest')
    expect(await record('large.csv')).toBeUndefined()
    const answer = await complete(uploadId, [
      { part: 1, etag: first },
      { part: 2, etag: second },
    ])
    const sizeBytes = limits.minPartBytes + 8
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, namespace, file_name: 'large.csv', size: sizeBytes },
    })
    expect(await record('large.csv')).toMatchObject({
      state: 'queued',
      object: { sizeBytes, etag: answer.body['etag'] },
    })
    expect(await complete(uploadId, [{ part: 1, etag: first }])).toMatchObject({
      status: 404,
      body: { error: 'Upload not found' },
    })
  })

  it('goes on with addresses of more parts, and new ones of the same', async () => {
    const { start, complete, send, grant } = await scene()
    const { uploadId } = await start({ parts: 1 })
    gateway().pass(1_000_000)
    const more = await start({ upload_id: uploadId, first_part: 1, parts: 1 })
    expect(more.uploadId).toBe(uploadId)
    expect(await grant('large.csv')).toMatchObject({ uploadId, expiresAt: gateway().now() + 900_000 })
    const etag = await send(more.parts[0]?.upload_url, 'text')
    expect(await complete(uploadId, [{ part: 1, etag }])).toMatchObject({ status: 200 })
    expect((await start({ upload_id: 'unknown' })).status).toBe(404)
  })

  it('goes on beside an upload of the same name in one piece', async () => {
    const { start, complete, send, upload, json } = await scene('a.txt')
    const { uploadId, parts } = await start({ parts: 1 })
    await upload('a.txt', 'in one piece')
    await json('POST', 'upload-url', { file_name: 'a.txt' })
    const etag = await send(parts[0]?.upload_url, 'in parts')
    expect(await complete(uploadId, [{ part: 1, etag }])).toMatchObject({ status: 200 })
  })

  it('is given up when it is aborted, begun anew, or its file is deleted', async () => {
    const { start, abort, complete, json, key, grant } = await scene()
    const open = () => allMultiparts(gateway().files, key('large.csv'))
    const { uploadId: first } = await start()
    expect(await abort(first)).toMatchObject({ status: 200, body: { success: true, file_name: 'large.csv' } })
    expect(await open()).toEqual([])
    expect(await complete(first, [{ part: 1, etag: 'x' }])).toMatchObject({ status: 404 })
    const { uploadId: second } = await start()
    const { uploadId: third } = await start()
    expect((await open()).map(({ uploadId }) => uploadId)).toEqual([third])
    expect(await abort(second)).toMatchObject({ status: 404 })
    await json('DELETE', 'delete-file', { file_name: 'large.csv' })
    expect(await open()).toEqual([])
    expect(await grant('large.csv')).toMatchObject({ state: 'revoked' })
    expect(await abort(third)).toMatchObject({ status: 404 })
  })

  it('belongs to one file of one namespace', async () => {
    const { start, complete } = await scene()
    const { uploadId } = await start()
    expect(await complete(uploadId, [{ part: 1, etag: 'x' }], 'other.csv')).toMatchObject({ status: 404 })
    const other = await scene()
    expect(await other.complete(uploadId, [{ part: 1, etag: 'x' }])).toMatchObject({ status: 404 })
    expect(await other.abort(uploadId)).toMatchObject({ status: 404 })
  })

  it('is refused with parts that are missing, too small, or of another etag', async () => {
    const { start, complete, send } = await scene()
    const { uploadId, parts } = await start({ parts: 2 })
    const first = await send(parts[0]?.upload_url, 'small')
    const second = await send(parts[1]?.upload_url, 'small')
    expect(await complete(uploadId, [{ part: 1, etag: 'another' }])).toMatchObject({ status: 400 })
    expect(await complete(uploadId, [{ part: 3, etag: first }])).toMatchObject({ status: 400 })
    const both = [
      { part: 1, etag: first },
      { part: 2, etag: second },
    ]
    expect(await complete(uploadId, both)).toMatchObject({ status: 400 })
    expect(await complete(uploadId, [both[0], both[0]])).toMatchObject({ status: 400 })
    expect(await complete(uploadId, [])).toMatchObject({ status: 400 })
    expect(await complete(uploadId, [both[0]])).toMatchObject({ status: 200 })
  })

  it('is refused with more than a file may have, and what was there before stays', async () => {
    const { start, complete, send, upload, record, key } = await scene('a.txt')
    await upload('a.txt', 'before')
    const before = await record('a.txt')
    const { uploadId, parts } = await start({ parts: 1 })
    const etag = await send(parts[0]?.upload_url, 'a file of 5 GB')
    const { files } = gateway()
    const given: unknown[] = []
    // A test can't send 5 GB, so the store gets a smaller limit.
    const completeMultipart: typeof files.completeMultipart = (...call) => {
      given.push(call[3])
      return files.completeMultipart(call[0], call[1], call[2], { maxBytes: 13 })
    }
    gateway().between.files = { ...files, completeMultipart }
    onTestFinished(() => {
      gateway().between.files = files
    })
    expect(await complete(uploadId, [{ part: 1, etag }])).toMatchObject({
      status: 413,
      body: { error: expect.stringContaining('14 bytes') },
    })
    expect(given).toEqual([{ maxBytes: 5 * 1024 ** 3 }])
    expect(await files.head(key('a.txt'))).toMatchObject({ sizeBytes: 6 })
    expect(await record('a.txt')).toEqual(before)
    gateway().between.files = files
    expect(await complete(uploadId, [{ part: 1, etag }])).toMatchObject({ status: 200, body: { size: 14 } })
  })

  it.each([
    [1, 1_000, 200],
    [1, 1_001, 400],
    [1, 0, 400],
    [0, 1, 400],
    [9_901, 100, 200],
    [9_902, 100, 400],
    [10_001, 1, 400],
  ])('answers a call for parts from %i, %i of them, with %i', async (first_part, parts, status) => {
    const { start } = await scene()
    const answer = await start({ first_part, parts })
    expect(answer.status).toBe(status)
    if (status === 200)
      expect(answer.parts.map(({ part }) => part)).toEqual(
        Array.from({ length: parts }, (_, index) => first_part + index),
      )
  })

  it('needs a name, a supported type, a text namespace, and nothing in the way', async () => {
    const { json, upload } = await scene()
    expect(await json('POST', 'upload-multipart', {})).toMatchObject({ status: 400 })
    expect(await json('POST', 'upload-multipart', { file_name: 'a.exe' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('.exe') },
    })
    await upload('a.txt', 'text')
    expect(await json('POST', 'upload-multipart', { file_name: 'a.txt/b.txt' })).toMatchObject({ status: 409 })
    const vectors = await gateway().open('vector')
    expect(await vectors.json('POST', 'upload-multipart', { file_name: 'a.txt' })).toMatchObject({ status: 404 })
  })
})
