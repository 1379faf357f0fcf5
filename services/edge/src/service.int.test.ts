import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { dimension, startEdge, textItem, textUpload, vectorOf, vectorUpload } from './edge.fixture.ts'

describe('an empty edge store', () => {
  it('is exported as specified', async () => {
    const { call } = await startEdge()
    const { status, body, headers } = await call('GET', '/export')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      dimension: null,
      store_mode: null,
      embedding_model: null,
      item_count: 0,
      items: [],
    })
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('says how much room it has, and finds nothing', async () => {
    const { call } = await startEdge()
    const shape = { dimension: null, store_mode: null, embedding_model: null }
    expect((await call('GET', '/health')).body).toEqual({
      status: 'ok',
      ...shape,
      items: 0,
      max_items: 10,
      remaining: 10,
    })
    expect(await call('POST', '/search', { query: vectorOf(1) })).toMatchObject({ status: 200, body: { results: [] } })
  })
})

describe('a filled edge store', () => {
  it('of texts is exported as specified', async () => {
    const { call } = await startEdge()
    const texts = ['[meta]\ndoc_id: a\n[/meta]\n\nGreen tea \r\n', '茶 ☕\t']
    const sent = await call(
      'POST',
      '/upload',
      textUpload(...texts.map((text, i) => textItem(`a#chunk-${i}`, vectorOf(1), text))),
    )
    expect(sent).toMatchObject({
      status: 200,
      body: { status: 'success', total: 2, items: 2, max_items: 10, remaining: 8 },
    })
    const shape = { dimension, store_mode: 'text', embedding_model: 'small' }
    expect((await call('GET', '/export')).body).toEqual({
      status: 'ok',
      ...shape,
      item_count: 2,
      items: texts.map((text) => ({ text })),
    })
    expect((await call('GET', '/health')).body).toEqual({
      status: 'ok',
      ...shape,
      items: 2,
      max_items: 10,
      remaining: 8,
    })
  })

  it('is exported to many at once, also where some leave', async () => {
    const { call, url } = await startEdge()
    await call('POST', '/upload', textUpload(textItem('a', vectorOf(1))))
    const leaving = Array.from({ length: 4 }, () =>
      fetch(`${url}/export`, { signal: AbortSignal.timeout(1) }).catch(() => undefined),
    )
    const answers = await Promise.all(Array.from({ length: 16 }, () => call('GET', '/export')))
    expect(answers.map(({ status, body }) => [status, body['item_count']])).toEqual(answers.map(() => [200, 1]))
    await Promise.all(leaving)
  })

  it('of vectors is exported as specified', async () => {
    const { call } = await startEdge()
    await call(
      'POST',
      '/upload',
      vectorUpload({ id: 'a', vector: vectorOf(1) }, { id: 'b', vector: vectorOf(0, 1), text: 'named' }),
    )
    expect((await call('GET', '/export')).body).toEqual({
      status: 'ok',
      dimension,
      store_mode: 'vector',
      embedding_model: null,
      item_count: 2,
      items: [{ text: '' }, { text: 'named' }],
    })
  })

  it('finds with scores of six decimals and their labels, the best first', async () => {
    const { call } = await startEdge()
    await call(
      'POST',
      '/upload',
      vectorUpload(textItem('b', vectorOf(1, 2)), { id: 'a', vector: vectorOf(3) }, textItem('c', vectorOf(-1))),
    )
    expect((await call('POST', '/search', { query: vectorOf(2), unknown: true })).body).toEqual({
      results: [
        { id: 'a', score: 1, label: 'Close Match' },
        { id: 'b', score: 0.447214, label: 'High Relevance', text: 'text of b' },
        { id: 'c', score: 0, label: 'Irrelevant', text: 'text of c' },
      ],
    })
    const idsOf = async (body: object) =>
      ((await call('POST', '/search', { query: vectorOf(2), ...body })).body['results'] as { id: string }[]).map(
        ({ id }) => id,
      )
    expect(await idsOf({ top_k: 1 })).toEqual(['a'])
    expect(await idsOf({ kiosk_mode: true, threshold: 0.447214 })).toEqual(['a', 'b'])
    expect(await idsOf({ threshold: 0.9 })).toEqual(['a', 'b', 'c'])
  })

  it('gives 10 hits unless asked for more, and never more than 100', async () => {
    const { call } = await startEdge({ maxItems: 200 })
    await call(
      'POST',
      '/upload',
      vectorUpload(...Array.from({ length: 120 }, (_, i) => textItem(`${i}`, vectorOf(1, i)))),
    )
    const found = async (body: object) =>
      ((await call('POST', '/search', { query: vectorOf(1), ...body })).body['results'] as object[]).length
    expect([await found({}), await found({ top_k: 25 }), await found({ top_k: 100_000 })]).toEqual([10, 25, 100])
  })

  it('deletes by id and says which were not there', async () => {
    const { call } = await startEdge()
    await call('POST', '/upload', vectorUpload(textItem('a'), textItem('7')))
    expect(await call('DELETE', '/items', { ids: ['a', 'x', 7] })).toMatchObject({
      status: 200,
      body: { status: 'success', deleted: 2, not_found_ids: ['x'] },
    })
    expect((await call('DELETE', '/items', { ids: ['a'] })).body).toEqual({
      status: 'success',
      deleted: 0,
      not_found_ids: ['a'],
    })
  })

  it('takes another shape once it was emptied', async () => {
    const { call } = await startEdge()
    await call('POST', '/upload', textUpload(textItem('a')))
    expect(await call('DELETE', '/store')).toMatchObject({
      status: 200,
      body: { status: 'success', message: expect.any(String) },
    })
    expect((await call('GET', '/health')).body).toMatchObject({
      dimension: null,
      store_mode: null,
      embedding_model: null,
      items: 0,
    })
    expect((await call('POST', '/upload', vectorUpload({ id: 'a', vector: [...vectorOf(1), 0] }))).status).toBe(200)
    expect((await call('GET', '/health')).body).toMatchObject({ dimension: 129, store_mode: 'vector' })
  })

  it('takes no mixture of text and vector, model and model', async () => {
    const { call } = await startEdge()
    await call('POST', '/upload', textUpload(textItem('a')))
    expect(await call('POST', '/upload', vectorUpload(textItem('b')))).toMatchObject({
      status: 409,
      body: { status: 'failure' },
    })
    expect(await call('POST', '/upload', { ...textUpload(textItem('b')), embedding_model: 'large' })).toMatchObject({
      status: 409,
    })
    expect((await call('GET', '/health')).body).toMatchObject({ items: 1, store_mode: 'text' })
  })

  it('refuses more than it has room for as a whole, and still replaces', async () => {
    const { call } = await startEdge({ maxItems: 3 })
    await call('POST', '/upload', textUpload(textItem('a'), textItem('b')))
    const { status, body } = await call('POST', '/upload', textUpload(textItem('b'), textItem('c'), textItem('d')))
    expect(status).toBe(409)
    expect(body).toEqual({ status: 'failure', message: expect.any(String), items: 2, max_items: 3, requested_new: 2 })
    await call('POST', '/upload', textUpload(textItem('c')))
    expect(
      await call(
        'POST',
        '/upload',
        textUpload(textItem('a', vectorOf(1), 'anew'), textItem('a', vectorOf(1), 'again')),
      ),
    ).toMatchObject({
      status: 200,
      body: { total: 2, items: 3, remaining: 0 },
    })
    expect((await call('GET', '/export')).body['items']).toEqual([
      { text: 'again' },
      { text: 'text of b' },
      { text: 'text of c' },
    ])
  })
})

describe('what an edge store can not take', () => {
  const many = (length: number) => Array<number>(length).fill(0.5)
  const bad: readonly (readonly [what: string, method: string, path: string, body: unknown])[] = [
    ['broken JSON', 'POST', '/upload', '{"items": ['],
    ['no object', 'POST', '/search', '[1, 2]'],
    ['no body', 'POST', '/search', ''],
    ['no mode', 'POST', '/upload', { items: [textItem('a')] }],
    ['another mode', 'POST', '/upload', { ...vectorUpload(textItem('a')), store_mode: 'image' }],
    ['text without a model', 'POST', '/upload', { store_mode: 'text', items: [textItem('a')] }],
    ['no items', 'POST', '/upload', { store_mode: 'vector', items: [] }],
    ['items that are no array', 'POST', '/upload', { store_mode: 'vector', items: textItem('a') }],
    ['an item that is none', 'POST', '/upload', vectorUpload(textItem('a'), [])],
    ['an item without id', 'POST', '/upload', vectorUpload({ vector: vectorOf(1) })],
    ['an empty id', 'POST', '/upload', vectorUpload(textItem(''))],
    ['an id of 1 MB', 'POST', '/upload', vectorUpload(textItem('x'.repeat(1_048_576)))],
    ['an item without vector', 'POST', '/upload', vectorUpload({ id: 'a' })],
    ['an empty vector', 'POST', '/upload', vectorUpload(textItem('a', []))],
    ['3 dimensions', 'POST', '/upload', vectorUpload(textItem('a', [1, 2, 3]))],
    ['127 dimensions', 'POST', '/upload', vectorUpload(textItem('a', many(127)))],
    ['1,537 dimensions', 'POST', '/upload', vectorUpload(textItem('a', many(1_537)))],
    ['two dimensions at once', 'POST', '/upload', vectorUpload(textItem('a', many(128)), textItem('b', many(129)))],
    ['a number beyond all', 'POST', '/upload', JSON.stringify(vectorUpload(textItem('a'))).replace('[1,', '[1e999,')],
    ['a number that is none', 'POST', '/upload', JSON.stringify(vectorUpload(textItem('a'))).replace('[1,', '[NaN,')],
    ['null in a vector', 'POST', '/upload', JSON.stringify(vectorUpload(textItem('a'))).replace('[1,', '[null,')],
    ['a vector of zeros', 'POST', '/upload', vectorUpload(textItem('a', vectorOf()))],
    ['a text item without text', 'POST', '/upload', textUpload({ id: 'a', vector: vectorOf(1) })],
    ['a text that is a number', 'POST', '/upload', vectorUpload({ id: 'a', vector: vectorOf(1), text: 7 })],
    ['a lone surrogate', 'POST', '/upload', vectorUpload(textItem('a', vectorOf(1), '\ud800'))],
    ['a search by text', 'POST', '/search', { query: 'green tea' }],
    ['a search by nothing', 'POST', '/search', { query: [] }],
    ['a search without query', 'POST', '/search', {}],
    ['a search of another dimension', 'POST', '/search', { query: many(129) }],
    ['top_k 0', 'POST', '/search', { query: vectorOf(1), top_k: 0 }],
    ['kiosk mode without a threshold', 'POST', '/search', { query: vectorOf(1), kiosk_mode: true }],
    ['a threshold above 1', 'POST', '/search', { query: vectorOf(1), kiosk_mode: true, threshold: 1.5 }],
    ['no ids', 'DELETE', '/items', { ids: [] }],
    ['ids that are no array', 'DELETE', '/items', { ids: 'a' }],
    ['an id that is none', 'DELETE', '/items', { ids: [{}] }],
  ]

  it('is answered with 400 in its own form, and leaves everything as it was', async () => {
    const { call } = await startEdge()
    await call('POST', '/upload', vectorUpload(textItem('kept')))
    const before = (await call('GET', '/health')).body
    for (const [what, method, path, body] of bad) {
      const answer = await call(method, path, body, { 'content-type': 'application/json' })
      expect(answer.status, what).toBe(400)
      expect(answer.body, what).toEqual({ status: 'failure', message: expect.stringMatching(/^.{10,300}$/) })
    }
    expect((await call('GET', '/health')).body).toEqual(before)
    const dimensionOfAnother = await call('POST', '/upload', vectorUpload(textItem('b', many(129))))
    expect(dimensionOfAnother).toMatchObject({ status: 400, body: { message: expect.stringContaining('128') } })
  })

  it('fixes nothing of an empty store', async () => {
    const { call } = await startEdge()
    for (const [what, method, path, body] of bad.filter(([, , path]) => path === '/upload')) {
      expect((await call(method, path, body)).status, what).toBe(400)
    }
    expect((await call('GET', '/health')).body).toMatchObject({ items: 0, dimension: null, store_mode: null })
  })

  it('takes more than other bodies may have in one upload', async () => {
    const { call } = await startEdge({ maxItems: 1_000 })
    const items = Array.from({ length: 250 }, (_, index) => ({
      ...textItem(String(index), vectorOf(1, index)),
      text: 'x'.repeat(50_000),
    }))
    expect(Buffer.byteLength(JSON.stringify(items))).toBeGreaterThan(10 * 1024 * 1024)
    expect(await call('POST', '/upload', vectorUpload(...items))).toMatchObject({ status: 200, body: { items: 250 } })
    expect((await call('POST', '/search', { query: 'x'.repeat(11 * 1024 * 1024) })).status).toBe(413)
  })

  it('is answered in that form where there is nothing, and where it is too much', async () => {
    const { call } = await startEdge({ maxUploadMegabytes: 1 })
    const form = { status: 'failure', message: expect.any(String) }
    expect(await call('GET', '/v1/namespaces')).toMatchObject({ status: 404 })
    expect((await call('GET', '/v1/namespaces')).body).toEqual(form)
    const method = await call('GET', '/search')
    expect([method.status, method.body, method.headers.get('allow')]).toEqual([405, form, 'POST'])
    const large = await call('POST', '/upload', 'x'.repeat(1024 * 1024 + 1))
    expect([large.status, large.body]).toEqual([413, form])
    expect(large.body['message']).toContain('send fewer items at once')
  })
})

describe('who may call an edge store', () => {
  const key = 'a-key-of-some-length'
  const calls = [
    ['GET', '/export'],
    ['POST', '/upload', vectorUpload(textItem('a'))],
    ['POST', '/search', { query: vectorOf(1) }],
    ['POST', '/answer', { query: 'x', query_vector: vectorOf(1) }],
    ['POST', '/answer/stream', { query: 'x', query_vector: vectorOf(1) }],
    ['DELETE', '/items', { ids: ['a'] }],
    ['DELETE', '/store'],
  ] as const

  it('is whoever has the key, where there is one; health is for all', async () => {
    const { call } = await startEdge({ key })
    for (const [method, path, body] of calls) {
      for (const headers of [{}, { 'x-api-key': `${key}!` }]) {
        const answer = await call(method, path, body, headers)
        expect([answer.status, answer.body], path).toEqual([
          401,
          { status: 'failure', message: expect.stringMatching(/^Unauthorized: /) },
        ])
      }
      expect([200, 400], path).toContain((await call(method, path, body, { 'x-api-key': key })).status)
    }
    expect((await call('GET', '/health')).status).toBe(200)
  })

  it('is not a page that has its own name lead to this machine', async () => {
    const { port } = await startEdge()
    const statusAs = async (host: string, path = '/export') => {
      const asked = request({ port, host: '127.0.0.1', path, headers: { host } }).end()
      const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }]
      response.resume()
      return response.statusCode
    }
    for (const host of [`localhost:${port}`, 'LOCALHOST', '127.0.0.1', `127.1.2.3:${port}`, `[::1]:${port}`])
      expect(await statusAs(host), host).toBe(200)
    for (const host of ['shop.example', '127.0.0.1.shop.example', `10.0.0.1:${port}`, 'localhost.shop.example:80'])
      for (const path of ['/export', '/health', '/openapi.json'])
        expect(await statusAs(host, path), `${host}${path}`).toBe(403)
    const keyed = await startEdge({ key })
    const asked = request({
      port: keyed.port,
      host: '127.0.0.1',
      path: '/health',
      headers: { host: 'shop.example' },
    }).end()
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }]
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  it('is told at once of a body that would become millions of objects', async () => {
    const { call } = await startEdge()
    for (const path of ['/upload', '/search']) {
      const { status, body } = await call('POST', path, `{"items":[${'{},'.repeat(1_000_000)}{}]}`)
      expect([status, body]).toEqual([
        400,
        { status: 'failure', message: expect.stringContaining('objects and arrays (given: 1,000,003)') },
      ])
    }
    // Twice as many items as the store holds are rejected for lack of capacity.
    const items = Array.from({ length: 20 }, (_, index) => textItem(`i${index}`))
    expect((await call('POST', '/upload', textUpload(...items))).status).toBe(409)
  })

  it('is no page of the web, unless its origin was allowed', async () => {
    const origin = { origin: 'https://shop.example' }
    const closed = await startEdge()
    expect(
      (await closed.call('GET', '/export', undefined, origin)).headers.get('access-control-allow-origin'),
    ).toBeNull()
    const open = await startEdge({ corsOrigins: ['https://shop.example'] })
    expect((await open.call('GET', '/export', undefined, origin)).headers.get('access-control-allow-origin')).toBe(
      'https://shop.example',
    )
  })

  it('finds its description', async () => {
    const { call } = await startEdge()
    const { body } = await call('GET', '/openapi.json')
    expect(Object.keys(body['paths'] as object)).toEqual([
      ...['/health', '/export', '/upload', '/search', '/answer', '/answer/stream', '/items', '/store', '/openapi.json'],
    ])
  })
})
