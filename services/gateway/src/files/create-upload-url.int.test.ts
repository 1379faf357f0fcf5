import { limits } from '@cairn/contracts/limits'
import { describe, expect, it } from 'vitest'
import { expectDeprecated, put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()
const strict = useGateway({ legacyCamelCase: false })

const types = [
  ['a.pdf', 'application/pdf'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['a.json', 'application/json'],
  ['a.txt', 'text/plain'],
  ['a.csv', 'text/csv'],
  ['a.md', 'text/markdown'],
  ['a.html', 'text/html'],
  ['a.htm', 'text/html'],
  ['a.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['a.eml', 'message/rfc822'],
  ['a.epub', 'application/epub+zip'],
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.jpeg', 'image/jpeg'],
  ['a.tiff', 'image/tiff'],
  ['a.tif', 'image/tiff'],
  ['a.webp', 'image/webp'],
  ['folder/B.MD', 'text/markdown'],
] as const

describe('upload-url', () => {
  it.each(types)('gives an address for %s that takes %s', async (file_name, content_type) => {
    const { json, key, record, grant, namespaceId } = await gateway().open()
    const { status, body, headers } = await json('POST', 'upload-url', { file_name })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        upload_url: expect.any(String),
        key: key(file_name),
        content_type,
        expires_in: 900,
        method: 'PUT',
        hint: expect.stringContaining('PUT'),
      },
    })
    expect(headers.get('deprecation')).toBeNull()
    expect(await grant(file_name)).toMatchObject({
      state: 'open',
      expiresAt: gateway().now() + 900_000,
      uploadId: null,
      contentType: content_type,
    })
    const answer = await put(String(body['upload_url']), 'some text', { 'content-type': content_type })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(await gateway().files.head(key(file_name))).toMatchObject({ sizeBytes: 9, contentType: content_type })
    const stored = await record(file_name)
    expect(stored).toMatchObject({ state: 'queued', object: { sizeBytes: 9 } })
    expect(answer.headers.get('etag')).toBe(`"${stored?.object.etag}"`)
    expect(await grant(file_name)).toMatchObject({ seen: { sizeBytes: 9 } })
    expect(gateway().sent.at(-1)).toMatchObject({ type: 'file.stored', data: { namespaceId, fileId: stored?.id } })
  })

  it.each<[string, unknown, RegExp]>([
    ['nothing', {}, /^file_name is required/],
    ['null', { file_name: null }, /^file_name must be a string/],
    ['an empty name', { file_name: '' }, /^file_name is required/],
    ['a number', { file_name: 7 }, /^file_name must be a string/],
    ['a list', [], /^The request body must be an object/],
    [
      'another type',
      { file_name: 'a.exe' },
      /^The file type \.exe is not supported\. Allowed types: \.pdf, \.docx, \.xlsx, \.json, \.txt, \.csv, \.md, \.html, \.htm, \.pptx, \.eml, \.epub, \.png, \.jpg, \.jpeg, \.tiff, \.tif, \.webp$/,
    ],
    ['no type', { file_name: 'uploaded_file' }, /Allowed types/],
    ['nothing but a type', { file_name: 'a/.txt' }, /Allowed types/],
    ['a way out', { file_name: '../x.txt' }, /^file_name must not contain a segment/],
    ['a size of nothing', { file_name: 'a.txt', file_size: 0 }, /^file_size must be at least 1/],
    [
      'a size beyond 5 GB',
      { file_name: 'a.txt', file_size: limits.fileBytes + 1 },
      /^file_size must be at most 5368709120/,
    ],
    ['half a byte', { file_name: 'a.txt', file_size: 1.5 }, /^file_size must be an integer/],
  ])('refuses %s', async (_, sent, why) => {
    const { json } = await gateway().open()
    const { status, body } = await json('POST', 'upload-url', sent)
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringMatching(why), request_id: expect.any(String) },
    })
  })

  it.each([1, limits.fileBytes])('takes a size of %i', async (file_size) => {
    const { json } = await gateway().open()
    expect(await json('POST', 'upload-url', { file_name: 'a.txt', file_size })).toMatchObject({ status: 200 })
  })

  it('finds only text namespaces, and asks for a key', async () => {
    const { json, call } = await gateway().open('vector')
    expect(await json('POST', 'upload-url', { file_name: 'a.txt' })).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('Text namespace') },
    })
    expect(await call('POST', 'upload-url', { headers: { 'x-api-key': '' } })).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })

  it('takes the earlier name, says that it goes, and answers with the earlier names too', async () => {
    const { json } = await gateway().open()
    const { body, status, headers } = await json('POST', 'upload-url', { fileName: 'a.txt' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      uploadUrl: body['upload_url'],
      contentType: 'text/plain',
      expiresIn: 900,
      expires_in: 900,
    })
    expectDeprecated(headers)
  })

  it('counts the present name where both are sent, and still says that the earlier one goes', async () => {
    const { json, key } = await gateway().open()
    const { body, headers } = await json('POST', 'upload-url', { file_name: 'now.txt', fileName: 'before.txt' })
    expect(body).toMatchObject({ key: key('now.txt'), uploadUrl: body['upload_url'] })
    expectDeprecated(headers)
  })

  it.each<[string, unknown, 'text' | 'vector', number]>([
    ['of another type', { fileName: 'a.exe' }, 'text', 400],
    ['that is no text', { fileName: 7 }, 'text', 400],
    ['that is empty', { fileName: '' }, 'text', 400],
    ['in a namespace of another type', { fileName: 'a.txt' }, 'vector', 404],
  ])('says that the earlier name goes also when it refuses one %s', async (_, sent, type, status) => {
    const { json } = await gateway().open(type)
    const answer = await json('POST', 'upload-url', sent)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    expectDeprecated(answer.headers)
  })

  it('does not take the earlier name where that is switched off', async () => {
    const { json } = await strict().open()
    const { status, headers } = await json('POST', 'upload-url', { fileName: 'a.txt' })
    expect(status).toBe(400)
    expect(headers.get('deprecation')).toBeNull()
  })
})
