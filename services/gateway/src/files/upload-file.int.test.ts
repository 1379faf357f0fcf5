import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()
const mib = 1024 * 1024

const boundary = 'a-boundary-of-tests'
type Part = { readonly disposition: string; readonly type?: string; readonly body: string | Buffer }
const formOf = (parts: readonly Part[], ending = `--${boundary}--\r\n`): Buffer<ArrayBuffer> =>
  Buffer.concat([
    ...parts.flatMap(({ disposition, type, body }) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
      ),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(ending),
  ])
const file = (name: string, body: string | Buffer, field = 'file'): Part => ({
  disposition: `name="${field}"; filename="${name}"`,
  type: 'application/octet-stream',
  body,
})
const contentType = `multipart/form-data; boundary=${boundary}`

/** Returns the number of files on the store's disk, where no partial file may remain. */
const blobs = () => {
  const folder = join(gateway().directory, 'files')
  return ['content', 'incoming'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  ).length
}

const scene = async () => {
  const space = await gateway().open()
  const send = (
    body: Buffer<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = { 'content-type': contentType },
  ) => space.call('POST', 'upload-file', { body, headers })
  const names = async () =>
    (await gateway().files.list({ prefix: space.key(''), limit: 100 })).map(({ key }) =>
      key.slice(space.key('').length),
    )
  return { ...space, send, names }
}

describe('upload-file', () => {
  it('stores the file, says so in camelCase, and has it processed', async () => {
    const { upload, namespace, namespaceId, record, grant, key } = await scene()
    const { status, body } = await upload('notes.txt', 'some text')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        message: expect.stringContaining('uploaded'),
        namespace,
        fileName: 'notes.txt',
        fileSize: 9,
      },
    })
    expect(await gateway().files.head(key('notes.txt'))).toMatchObject({ sizeBytes: 9, contentType: 'text/plain' })
    const stored = await record('notes.txt')
    expect(stored).toMatchObject({
      name: 'notes.txt',
      state: 'queued',
      key: key('notes.txt'),
      idBase: 'notes.txt',
      object: { sizeBytes: 9 },
    })
    expect(await grant('notes.txt')).toMatchObject({
      state: 'open',
      expiresAt: gateway().now(),
      uploadId: null,
      seen: { sizeBytes: 9 },
    })
    const told = gateway().sent.filter(({ data }) => (data as { namespaceId: string }).namespaceId === namespaceId)
    expect(told).toMatchObject([{ type: 'file.stored', key: stored?.id, data: { namespaceId, fileId: stored?.id } }])
  })

  it('says that nothing is to be done when the same bytes come again', async () => {
    const { upload, record } = await scene()
    await upload('same.txt', 'some text')
    gateway().pass(1_000)
    expect((await upload('same.txt', 'some text')).body['message']).toMatch(/those it had before/)
    expect(await record('same.txt')).toMatchObject({ unchangedAt: gateway().now() })
    gateway().pass(1_000)
    expect((await upload('same.txt', 'other text')).body['message']).toMatch(/being processed/)
  })

  it.each([
    [10 * mib - 1, 200],
    [10 * mib, 200],
    [10 * mib + 1, 413],
    [11 * mib, 413],
  ])('answers a file of %i bytes with %i', async (bytes, status) => {
    const { upload, names } = await scene()
    const before = blobs()
    const answer = await upload('large.csv', Buffer.alloc(bytes, 'x'))
    expect(answer.status).toBe(status)
    expect(await names()).toEqual(status === 200 ? ['large.csv'] : [])
    expect(blobs() - before).toBe(status === 200 ? 1 : 0)
    if (status === 413)
      expect(answer.body).toEqual({ error: expect.stringContaining('10 MB'), request_id: expect.any(String) })
  })

  it('keeps the name as it was sent: with its folders, its quotes, its percent signs, composed', async () => {
    const { send, names } = await scene()
    const sent = [
      'a/b c/d.md',
      'say "hi".txt',
      '100%.txt',
      'x.txt%00.md',
      'CON.txt',
      'Cafe\u0301.txt',
      'a\uFF0Fb.txt',
      'ПРИМЕР.TXT',
      '文件.pdf',
    ]
    for (const name of sent)
      expect(await send(formOf([file(name.replaceAll('"', '%22'), 'text')])), name).toMatchObject({ status: 200 })
    expect((await names()).toSorted()).toEqual(sent.map((name) => name.normalize('NFC')).toSorted())
  })

  it.each([
    ['../../x.txt', /segment/],
    ['a/../../b.txt', /segment/],
    ['..%2Fx/../y.txt', /segment/],
    ['/etc/x.txt', /relative/],
    ['..\\\\x.txt', /backslash/],
    ['a%0D%0Ab.txt', /control/],
    ['x.txt.exe', /\.exe is not supported.*\.pdf, \.docx, \.xlsx, \.json, \.txt, \.csv, \.md/],
    ['noextension', /without a type/],
    ['.txt', /without a type/],
    [`${'x'.repeat(252)}.txt`, /255/],
    [`${'d/'.repeat(350)}x.txt`, /700/],
  ])('refuses the name %j and stores nothing', async (name, why) => {
    const { send, names } = await scene()
    const before = blobs()
    const { status, body } = await send(formOf([file(name, 'text')]))
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: expect.stringMatching(why) })
    expect(await names()).toEqual([])
    expect(blobs()).toBe(before)
  })

  it.each<[string, Buffer<ArrayBuffer>]>([
    ['without a file', formOf([{ disposition: 'name="other"', body: 'text' }])],
    ['with the file in a field that is text', formOf([{ disposition: 'name="file"', body: 'text' }])],
    ['with a file in another field', formOf([file('a.txt', 'text', 'document')])],
    ['with two files', formOf([file('a.txt', 'first'), file('b.txt', 'second')])],
    ['with a file and another file elsewhere', formOf([file('a.txt', 'first'), file('b.txt', 'second', 'other')])],
    ['with a large file and a second one', formOf([file('a.txt', Buffer.alloc(mib, 'x')), file('b.txt', 'second')])],
    [
      'of another boundary',
      Buffer.from(
        formOf([file('a.txt', 'text')])
          .toString()
          .replaceAll(boundary, 'another'),
      ),
    ],
    ['that ends in the middle of its file', formOf([file('a.txt', Buffer.alloc(mib, 'x'))], '')],
    [
      'of ten thousand parts',
      formOf(Array.from({ length: 10_000 }, (_, index) => ({ disposition: `name="f${index}"`, body: 'x' }))),
    ],
    [
      'of a file and then too many fields',
      formOf([file('a.txt', 'x'), ...Array.from({ length: 20 }, () => ({ disposition: 'name="f"', body: 'x' }))]),
    ],
    [
      'with a field that is too long',
      formOf([file('a.txt', 'x'), { disposition: 'name="f"', body: 'x'.repeat(20_000) }]),
    ],
    ['with no part at all', Buffer.from(`--${boundary}--\r\n`)],
  ])('refuses a form %s with 400 and stores nothing', async (_, body) => {
    const { send, names, record } = await scene()
    const before = blobs()
    const answer = await send(body)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String), request_id: expect.any(String) } })
    expect(Object.keys(answer.body)).toEqual(['error', 'request_id'])
    expect(await names()).toEqual([])
    expect(await record('a.txt')).toBeUndefined()
    expect(blobs()).toBe(before)
  })

  it('takes a form with fields beside its file', async () => {
    const { send, names } = await scene()
    const some: Part = { disposition: 'name="note"', body: 'x'.repeat(4_000) }
    expect(await send(formOf([some, file('a.txt', 'text'), some]))).toMatchObject({ status: 200 })
    expect(await names()).toEqual(['a.txt'])
  })

  it('leaves the file of a name as it was when a form that would replace it is refused', async () => {
    const { send, upload, key } = await scene()
    await upload('a.txt', 'first')
    expect(await send(formOf([file('a.txt', 'second'), file('b.txt', 'third')]))).toMatchObject({ status: 400 })
    expect(await gateway().files.head(key('a.txt'))).toMatchObject({ sizeBytes: 5 })
  })

  it.each(['application/json', 'multipart/mixed; boundary=x', 'multipart/form-data', 'text/plain'])(
    'refuses a body announced as %s',
    async (type) => {
      const { send } = await scene()
      expect(await send(formOf([file('a.txt', 'text')]), { 'content-type': type })).toMatchObject({ status: 400 })
    },
  )

  it('refuses a field of 100 MB by what it announces', async () => {
    const { path, apiKey } = await scene()
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(path('upload-file'), {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': contentType, 'content-length': 100 * mib },
      })
      request.once('response', (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.once('error', reject)
      request.flushHeaders()
    })
    expect(answer).toBe(413)
  })

  it('asks for a key before it reads anything', async () => {
    const { send } = await scene()
    expect(
      await send(formOf([file('a.txt', 'text')]), { 'content-type': contentType, 'x-api-key': 'cairn_none' }),
    ).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized', message: expect.any(String) },
    })
  })

  it('finds only text namespaces, and its own', async () => {
    const vectors = await gateway().open('vector')
    expect(await vectors.upload('a.txt', 'text')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('Text namespace') },
    })
    const [mine, theirs] = [await gateway().open(), await gateway().open()]
    const form = new FormData()
    form.set('file', new Blob(['text']), 'a.txt')
    const answer = await fetch(theirs.path('upload-file'), {
      method: 'POST',
      body: form,
      headers: { 'x-api-key': mine.apiKey },
    })
    expect(answer.status).toBe(404)
    expect(await theirs.record('a.txt')).toBeUndefined()
  })

  it('leaves no object, no descriptor and no record when its client goes away half-way', async () => {
    const { path, apiKey, names, record } = await scene()
    const rounds = 60
    const descriptors = () => readdirSync('/proc/self/fd').length
    const half = formOf([file('gone.txt', Buffer.alloc(256 * 1024, 'x'))], '')
    const abort = () =>
      new Promise<void>((resolve) => {
        const request = httpRequest(path('upload-file'), {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': contentType, 'content-length': 2 * half.length },
        })
        request.once('error', () => undefined).once('close', resolve)
        request.write(half, () => setImmediate(() => request.destroy()))
      })
    await abort()
    await eventually(blobs, (count) => count >= 0)
    const before = { blobs: blobs(), descriptors: descriptors() }
    for (let round = 0; round < rounds; round += 1) await abort()
    await eventually(blobs, (count) => count <= before.blobs)
    await eventually(descriptors, (count) => count <= before.descriptors + 5)
    expect(await names()).toEqual([])
    expect(await record('gone.txt')).toBeUndefined()
  })

  it('answers 503 when the store is away, and keeps nothing', async () => {
    const { upload, names } = await scene()
    const { between, files } = gateway()
    between.files = { ...files, put: () => Promise.reject(new AppError('unavailable', 'the store is away')) }
    try {
      expect(await upload('a.txt', 'text')).toMatchObject({ status: 503, body: { error: 'the store is away' } })
    } finally {
      between.files = files
    }
    expect(await names()).toEqual([])
  })

  it('does not bring back a file that is deleted while its bytes are on their way', async () => {
    const { upload, json, key, record, names } = await scene()
    const { between, files } = gateway()
    const arrived = Promise.withResolvers<void>()
    const deleted = Promise.withResolvers<void>()
    between.files = {
      ...files,
      put: async (...input) => {
        arrived.resolve()
        await deleted.promise
        return files.put(...input)
      },
    }
    try {
      const uploading = upload('race.txt', 'text')
      await arrived.promise
      expect(await json('DELETE', 'delete-file', { file_name: 'race.txt' })).toMatchObject({ status: 200 })
      deleted.resolve()
      expect(await uploading).toMatchObject({ status: 404, body: { error: 'File not found' } })
    } finally {
      between.files = files
    }
    expect(await gateway().files.head(key('race.txt'))).toBeUndefined()
    expect(await record('race.txt')).toBeUndefined()
    expect(await names()).toEqual([])
  })

  it('stores nothing once its namespace is being deleted, however long its bytes are on their way', async () => {
    const { upload, path, apiKey, key } = await scene()
    const { between, files } = gateway()
    const arrived = Promise.withResolvers<void>()
    const deleted = Promise.withResolvers<void>()
    const put: string[] = []
    between.files = {
      ...files,
      put: async (...input) => {
        arrived.resolve()
        await deleted.promise
        const stored = await files.put(...input)
        put.push(stored.key)
        return stored
      },
    }
    try {
      const uploading = upload('late.txt', 'text')
      await arrived.promise
      const address = path('').replace(/\/$/, '')
      expect((await fetch(address, { method: 'DELETE', headers: { 'x-api-key': apiKey } })).status).toBe(202)
      deleted.resolve()
      expect(await uploading).toMatchObject({ status: 404, body: { error: expect.stringContaining('not found') } })
    } finally {
      between.files = files
    }
    // Nothing is stored at all: a later removal could hit the next file with this key.
    expect(put).toEqual([])
    expect(await files.head(key('late.txt'))).toBeUndefined()
  })

  it('refuses a name that is the folder of another file, and one that lies in a file', async () => {
    const { upload, json } = await scene()
    await upload('a.txt', 'text')
    await upload('b.txt/c.txt', 'text')
    expect(await upload('a.txt/b.txt', 'text')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('folder') },
    })
    expect(await upload('b.txt', 'text')).toMatchObject({ status: 409 })
    expect(await upload('a.txtb/c.txt', 'text')).toMatchObject({ status: 200 })
    await json('POST', 'upload-url', { file_name: 'asked.txt' })
    expect(await upload('asked.txt/b.txt', 'text')).toMatchObject({ status: 409 })
  })
})
