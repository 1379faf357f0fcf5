import { request as httpRequest } from 'node:http'
import { allMultiparts } from '@cairn/adapters/file-store/contract/store.fixture'
import { s3FileStore } from '@cairn/adapters/file-store/s3'
import { limits } from '@cairn/contracts/limits'
import { describeWithEngine } from '@cairn/testing/engines'
import { eventually } from '@cairn/testing/eventually'
import { expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

// Tests the endpoints with an object store that accepts the signed requests.
describeWithEngine('minio', (setting) => {
  const gateway = useGateway({
    fileStore: () =>
      s3FileStore({
        endpoint: setting('CAIRN_S3_ENDPOINT'),
        region: setting('CAIRN_S3_REGION'),
        pathStyle: setting('CAIRN_S3_PATH_STYLE') === 'on',
        credentials: {
          accessKeyId: setting('CAIRN_S3_ACCESS_KEY_ID'),
          secretAccessKey: setting('CAIRN_S3_SECRET_ACCESS_KEY'),
        },
        bucket: 'cairn-gateway-tests',
        prefix: 'cairn',
      }),
  })
  const scene = async () => {
    const space = await gateway().open()
    const list = async () => (await space.call('GET', 'list-files')).body['files']
    const ask = async (body: Readonly<Record<string, unknown>>) =>
      String((await space.json('POST', 'upload-url', body)).body['upload_url'])
    const tidy = async () => {
      const found = await gateway().files.list({ prefix: space.key(''), limit: 1_000 })
      if (found.length > 0) await gateway().files.remove(found.map(({ key }) => key))
    }
    return { ...space, list, ask, tidy }
  }

  it.each([1, 5 * 1024 * 1024, 10 * 1024 * 1024])('takes a file of %i bytes as a form', async (bytes) => {
    const { upload, list, record, json } = await scene()
    expect(await upload('a/ü b.csv', Buffer.alloc(bytes, 'x'))).toMatchObject({
      status: 200,
      body: { fileName: 'a/ü b.csv', fileSize: bytes },
    })
    expect(await list()).toMatchObject([{ file_name: 'a/ü b.csv', size: bytes }])
    expect(await record('a/ü b.csv')).toMatchObject({ state: 'queued', object: { sizeBytes: bytes } })
    expect((await json('DELETE', 'delete-file', { file_name: 'a/ü b.csv' })).body['results']).toMatchObject([
      { status: 'deleted' },
    ])
    expect(await list()).toEqual([])
  })

  it('keeps nothing of a form that is too large, malformed, or broken off', async () => {
    const { upload, call, path, apiKey, key } = await scene()
    expect(await upload('a.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))).toMatchObject({ status: 413 })
    const form = new FormData()
    form.append('file', new Blob(['first']), 'a.csv')
    form.append('file', new Blob(['second']), 'b.csv')
    expect(await call('POST', 'upload-file', { body: form })).toMatchObject({ status: 400 })
    const half = Buffer.concat([
      Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'),
      Buffer.alloc(6 * 1024 * 1024, 'x'),
    ])
    await new Promise<void>((resolve) => {
      const headers = {
        'x-api-key': apiKey,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': half.length + 100_000,
      }
      const request = httpRequest(path('upload-file'), { method: 'POST', headers })
      request.once('error', () => undefined).once('close', resolve)
      request.write(half, () => setImmediate(() => request.destroy()))
    })
    await eventually(
      () => allMultiparts(gateway().files, key('')),
      (open) => open.length === 0,
    )
    expect(await gateway().files.list({ prefix: key(''), limit: 10 })).toEqual([])
  })

  it('gives addresses that take what they were asked for, and nothing else', async () => {
    const { ask, list, tidy } = await scene()
    const url = await ask({ file_name: "it's (1) & more+.txt" })
    expect(await put(url, 'text', { 'content-type': 'text/html' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('<Code>'),
    })
    expect(await put(url.replace('more', 'less'), 'text')).toMatchObject({ status: 403 })
    expect(await list()).toEqual([])
    expect(await put(url, 'text')).toMatchObject({ status: 200 })
    expect(await list()).toMatchObject([{ file_name: "it's (1) & more+.txt", size: 4 }])
    const sized = await ask({ file_name: 'sized.txt', file_size: 4 })
    expect(await put(sized, 'longer')).toMatchObject({ status: 403 })
    expect(await put(sized, 'text')).toMatchObject({ status: 200 })
    await tidy()
  })

  it('makes a file of parts', async () => {
    const { json, record, list, tidy } = await scene()
    const { body } = await json('POST', 'upload-multipart', { file_name: 'large.csv', parts: 2 })
    const parts = body['parts'] as { readonly part: number; readonly upload_url: string }[]
    const sent = []
    for (const { part, upload_url } of parts) {
      const { status, headers } = await put(
        upload_url,
        part === 1 ? Buffer.alloc(limits.minPartBytes, 'x') : 'the rest',
        {},
      )
      expect(status).toBe(200)
      sent.push({ part, etag: headers.get('etag') })
    }
    expect(await list()).toEqual([])
    const ended = { file_name: 'large.csv', upload_id: body['upload_id'], parts: sent }
    expect(await json('POST', 'upload-multipart/complete', ended)).toMatchObject({
      status: 200,
      body: { size: limits.minPartBytes + 8 },
    })
    expect(await record('large.csv')).toMatchObject({ object: { sizeBytes: limits.minPartBytes + 8 } })
    expect(await json('POST', 'upload-multipart/complete', ended)).toMatchObject({ status: 404 })
    await tidy()
  })
})
