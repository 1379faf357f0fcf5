import { limits } from '@cairn/contracts/limits'
import { describe, expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()

type Part = readonly [string, string | Blob, string?]
const scene = async () => {
  const space = await gateway().open()
  const form = (...parts: readonly Part[]) => {
    const body = new FormData()
    for (const [name, value, fileName] of parts)
      if (typeof value === 'string') body.append(name, value)
      else body.append(name, value, fileName)
    return space.call('POST', 'upload-file', { body })
  }
  const metadata = async (name: string) => (await space.record(name))?.metadata
  const finish = async (name: string) => {
    const file = await space.record(name)
    const leased = file && (await gateway().store.files.lease(file.id, 'token'))
    if (!leased) throw new Error('no lease was to be had')
    const lease = { jobId: leased.id, token: 'token' }
    const { files } = gateway().store
    await files.publish(lease, { version: leased.version, chunks: 2, summaries: 1, extraction: 1, limit: null })
    await files.complete(lease, { times: {}, at: gateway().now() })
  }
  return { ...space, form, metadata, finish }
}
const file: Part = ['file', new Blob(['Some text of the file.']), 'a.txt']

describe('metadata sent with a file', () => {
  it.each<[string, readonly Part[]]>([
    ['before the file', [['metadata', '{ "team": "alps", "n": 12345678901234567890 }'], file]],
    ['after the file', [file, ['metadata', '{"team":"alps","n":12345678901234567890}']]],
  ])('in a form %s are stored', async (_, parts) => {
    const { form, metadata } = await scene()
    expect(await form(...parts)).toMatchObject({ status: 200 })
    expect(await metadata('a.txt')).toBe('{"team":"alps","n":12345678901234567890}')
  })

  it.each<[string, string]>([
    ['no JSON', '{"team":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['empty', ''],
    ['too long', JSON.stringify({ a: 'x'.repeat(limits.metadataBytes) })],
    ['of too many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])))],
    ['beyond the numbers of JSON', '{"a":1e999}'],
  ])('that are %s are refused, and nothing is stored', async (_, json) => {
    const { form, record, key } = await scene()
    expect(await form(file, ['metadata', json])).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^metadata must|^metadata holds/) },
    })
    expect(await record('a.txt')).toBeUndefined()
    expect(await gateway().files.head(key('a.txt'))).toBeUndefined()
  })

  it.each<[string, readonly Part[]]>([
    [
      'twice',
      [
        ['metadata', '{}'],
        ['metadata', '{}'],
      ],
    ],
    ['as fields of their own', [['metadata[a]', '1']]],
  ])('%s are refused', async (_, parts) => {
    const { form, record } = await scene()
    expect(await form(file, ...parts)).toMatchObject({ status: 400 })
    expect(await record('a.txt')).toBeUndefined()
  })

  it('are part of a repeated request', async () => {
    const { call } = await scene()
    const send = (json: string) => {
      const body = new FormData()
      body.append('file', new Blob(['Some text.']), 'a.txt')
      body.append('metadata', json)
      return call('POST', 'upload-file', { body, headers: { 'idempotency-key': 'k1' } })
    }
    expect((await send('{"a":1}')).status).toBe(200)
    expect((await send('{"a":1}')).status).toBe(200)
    expect((await send('{"a":2}')).status).toBe(422)
  })

  it('go with an upload URL and with an upload in parts', async () => {
    const { json, metadata } = await scene()
    const { body } = await json('POST', 'upload-url', { file_name: 'a.txt', metadata: { team: 'alps' } })
    expect((await put(String(body['upload_url']), 'some text')).status).toBe(200)
    expect(await metadata('a.txt')).toBe('{"team":"alps"}')
    const started = await json('POST', 'upload-multipart', { file_name: 'b.txt', parts: 1, metadata: { n: 1 } })
    const [part] = started.body['parts'] as { upload_url: string }[]
    const { headers } = await put(part?.upload_url ?? '', 'x'.repeat(100), {})
    // URLs for more parts do not lose the metadata.
    const upload_id = started.body['upload_id']
    expect((await json('POST', 'upload-multipart', { file_name: 'b.txt', upload_id })).status).toBe(200)
    const parts = [{ part: 1, etag: headers.get('etag') }]
    const completed = await json('POST', 'upload-multipart/complete', { file_name: 'b.txt', upload_id, parts })
    expect(completed.status).toBe(200)
    expect(await metadata('b.txt')).toBe('{"n":1}')
    for (const path of ['upload-url', 'upload-multipart'])
      expect(await json('POST', path, { file_name: 'c.txt', metadata: [] })).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('metadata must be an object') },
      })
  })

  it('change when the same bytes are sent again in the same second', async () => {
    const { form, json, metadata } = await scene()
    for (const expected of ['{"a":1}', '{"a":2}']) {
      expect(await form(file, ['metadata', expected])).toMatchObject({ status: 200 })
      expect(await metadata('a.txt')).toBe(expected)
    }
    const { body } = await json('POST', 'upload-url', { file_name: 'a.txt', metadata: { a: 3 } })
    expect(await metadata('a.txt')).toBe('{"a":2}')
    expect((await put(String(body['upload_url']), 'Some text of the file.')).status).toBe(200)
    expect(await metadata('a.txt')).toBe('{"a":3}')
  })

  it('changed later stay when another upload arrives at the former URL', async () => {
    const { json, metadata } = await scene()
    const { body } = await json('POST', 'upload-url', { file_name: 'a.txt', metadata: { a: 1 } })
    expect((await put(String(body['upload_url']), 'some text')).status).toBe(200)
    await json('PATCH', 'files/a.txt', { metadata: { a: 2 } })
    expect((await put(String(body['upload_url']), 'other text')).status).toBe(200)
    expect(await metadata('a.txt')).toBe('{"a":2}')
  })

  it('stay when the file is uploaded again without any', async () => {
    const { form, upload, metadata } = await scene()
    await form(file, ['metadata', '{"a":1}'])
    await upload('a.txt', 'Other text.')
    expect(await metadata('a.txt')).toBe('{"a":1}')
    await form(['file', new Blob(['Third text.']), 'a.txt'], ['metadata', '{}'])
    expect(await metadata('a.txt')).toBe('{}')
  })
})

describe('metadata changed later', () => {
  const path = 'files/a.txt'

  it('queue the file, which stays searchable, unless they are equal', async () => {
    const { json, upload, finish, record } = await scene()
    await upload('a.txt', 'Some text.')
    await finish('a.txt')
    const { version } = (await record('a.txt')) ?? {}
    const changed = await json('PATCH', path, { metadata: { a: [1, { b: null }] } })
    expect(changed).toMatchObject({
      status: 202,
      body: { state: 'queued', metadata: { a: [1, { b: null }] }, chunks: 2, previous_version_searchable: true },
    })
    expect(await record('a.txt')).toMatchObject({ copiedFrom: version, state: 'queued' })
    expect(gateway().sent.at(-1)).toMatchObject({ type: 'file.stored' })
    expect(await json('PATCH', path, { metadata: { a: [1, { b: null }] } })).toMatchObject({ status: 200 })
    expect(await json('PATCH', path, { metadata: { a: 2 } })).toMatchObject({ status: 202 })
  })

  it.each<[string, unknown, number]>([
    ['missing', {}, 400],
    ['null', { metadata: null }, 400],
    ['text', { metadata: '{}' }, 400],
    ['too long', { metadata: { a: 'x'.repeat(limits.metadataBytes - 7) } }, 400],
    ['as long as may be', { metadata: { a: 'x'.repeat(limits.metadataBytes - 8) } }, 202],
  ])('that are %s: %j', async (_, body, status) => {
    const { json, upload } = await scene()
    await upload('a.txt', 'Some text.')
    expect((await json('PATCH', path, body)).status).toBe(status)
  })

  it('need an own file and the scope write', async () => {
    const [mine, theirs] = [await scene(), await scene()]
    await mine.upload('a.txt', 'Some text.')
    const change = (apiKey: string) =>
      mine.call('PATCH', path, {
        body: '{"metadata":{"a":1}}',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      })
    expect((await change(theirs.apiKey)).status).toBe(404)
    expect((await change(await mine.keyWith({ scopes: ['read'] }))).status).toBe(403)
    expect((await change(await mine.keyWith({ scopes: ['write'] }))).status).toBe(202)
    expect((await mine.json('PATCH', 'files/none.txt', { metadata: {} })).status).toBe(404)
  })
})

describe('the pages of files', () => {
  const names = ['a.txt', 'b/1.txt', 'b/2.txt', 'b/3.txt', 'ç.txt']

  it('have all that a comparison with a folder needs', async () => {
    const { form, call, finish, record, namespace } = await scene()
    await form(file, ['metadata', '{"n":12345678901234567890}'])
    const etag = (await record('a.txt'))?.object.etag
    const page = async () => (await call('GET', 'files')).body
    const at = new Date(gateway().now()).toISOString()
    const queued = {
      file_name: 'a.txt',
      state: 'queued',
      reason: null,
      size: 22,
      etag,
      published_etag: null,
      last_modified: at,
      chunks: 0,
      notes: 0,
      metadata: JSON.parse('{"n":12345678901234567890}'),
      created_at: at,
      updated_at: at,
    }
    const pagination = { limit: 100, has_more: false, next_token: null }
    expect(await page()).toEqual({ namespace_name: namespace, files: [queued], pagination })
    await finish('a.txt')
    expect((await page())['files']).toMatchObject([{ state: 'completed', chunks: 2, published_etag: etag }])
    expect((await call('GET', 'list-files')).body['files']).toMatchObject([
      { file_name: 'a.txt', state: 'completed', chunks: 2, etag, notes: 0 },
    ])
  })

  it('come by name, each file once, with or without a prefix', async () => {
    const { upload, call } = await scene()
    for (const name of names) await upload(name, 'Some text.')
    const all = async (query: string, limit: number) => {
      const found: string[] = []
      for (let token: string | null = ''; token !== null; ) {
        const at: string = `files?limit=${limit}${query}${token === '' ? '' : `&next_token=${token}`}`
        const { status, body } = await call('GET', at)
        expect(status).toBe(200)
        const files = body['files'] as { file_name: string }[]
        expect(files.length).toBeLessThanOrEqual(limit)
        found.push(...files.map(({ file_name }) => file_name))
        token = (body['pagination'] as { next_token: string | null }).next_token
      }
      return found
    }
    for (const limit of [1, 2, 5, 500]) {
      expect(await all('', limit)).toEqual(names)
      expect(await all('&prefix=b/', limit)).toEqual(names.slice(1, 4))
      expect(await all('&prefix=b/2.txt', limit)).toEqual(['b/2.txt'])
      expect(await all(`&prefix=${encodeURIComponent('c\u0327')}`, limit)).toEqual(['ç.txt'])
      expect(await all('&prefix=x', limit)).toEqual([])
    }
  })

  it.each(['limit=0', 'limit=501', 'limit=x', 'next_token=x', 'next_token='])('refuse %s', async (query) => {
    const { call } = await scene()
    expect((await call('GET', `files?${query}`)).status).toBe(400)
  })

  it('are those of a namespace and a prefix, and so are their tokens', async () => {
    const [mine, theirs] = [await scene(), await scene()]
    for (const space of [mine, theirs]) for (const name of names) await space.upload(name, 'Some text.')
    const { body } = await mine.call('GET', 'files?limit=1')
    const { next_token } = body['pagination'] as { next_token: string }
    expect((await mine.call('GET', `files?prefix=b/&next_token=${next_token}`)).status).toBe(400)
    expect((await theirs.call('GET', `files?next_token=${next_token}`)).status).toBe(400)
    expect((await mine.call('GET', `files?next_token=${next_token}`)).status).toBe(200)
    // The next page of another prefix would leave out files.
    expect((await mine.call('GET', `files?prefix=b/&next_token=${next_token}`)).status).toBe(400)
    expect((await mine.call('GET', 'files', { headers: { 'x-api-key': theirs.apiKey } })).status).toBe(404)
  })
})
