import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectQdrant, type QdrantConnection } from './client.ts'

const listen = async (handle: RequestListener): Promise<string> => {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Asked = Partial<QdrantConnection> & { readonly url: string }

const ask = (connection: Asked) =>
  connectQdrant({ timeoutMs: 5_000, ...connection }).request((client) => client.count('c', { exact: true }))
const upsert = (connection: Asked) =>
  connectQdrant({ timeoutMs: 5_000, ...connection }).upsert('c', [{ id: 1, vector: [1] }])

const query = (connection: Asked) =>
  connectQdrant({ timeoutMs: 5_000, ...connection }).query('c', [{ query: Float32Array.of(1), limit: 1 }])

const json = { 'content-type': 'application/json' }
const fault = (error: string) => JSON.stringify({ status: { error }, time: 0 })

describe.each([
  ['through its client', ask],
  ['to points', upsert],
  ['to queries', query],
])('answers of Qdrant, %s,', (_way, ask) => {
  it.each([
    [408, fault('Timeout'), 'unavailable', 1],
    [429, fault('Rate limit'), 'unavailable', 1],
    [500, fault('Service internal error'), 'unavailable', 1],
    [502, '<html>bad gateway</html>', 'unavailable', 1],
    [503, fault('Shard unavailable'), 'unavailable', 1],
    [401, 'Must provide an API key or an Authorization bearer token', 'unavailable', 10],
    [403, 'Forbidden', 'unavailable', 10],
    [404, fault("Not found: Collection `c` doesn't exist!"), 'notFound', undefined],
    [404, '<html>nothing here</html>', 'unavailable', 10],
    [400, fault('Wrong input: Vector dimension error'), 'internal', undefined],
    [413, 'Payload Too Large', 'internal', undefined],
    [422, fault('Validation error'), 'internal', undefined],
  ])('with status %i and %s are AppErrors', async (status, body, code, retryAfterSeconds) => {
    const url = await listen((_, response) => response.writeHead(status, body.startsWith('{') ? json : {}).end(body))
    await expect(ask({ url })).rejects.toMatchObject({
      name: 'AppError',
      code,
      retryAfterSeconds,
      cause: expect.any(Error),
    })
  })

  it.each(['7', '30', 'Wed, 21 Oct 2099 07:28:00 GMT'])(
    'with 429 and Retry-After %s are unavailable',
    async (retryAfter) => {
      const url = await listen((_, response) =>
        response.writeHead(429, { ...json, 'retry-after': retryAfter }).end(fault('busy')),
      )
      await expect(ask({ url })).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    },
  )

  it('that are not JSON are rejected', async () => {
    const url = await listen((_, response) => response.writeHead(200, json).end('{"result": {"cou'))
    await expect(ask({ url })).rejects.toMatchObject({ code: 'internal' })
  })

  it('that are incomplete are unavailable', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { ...json, 'content-length': 1_000 }).write('{"result"')
      setImmediate(() => response.destroy())
    })
    await expect(ask({ url })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('that never end are unavailable at the deadline', async () => {
    const url = await listen((_, response) => void response.writeHead(200, json).write('{"result"'))
    const began = performance.now()
    await expect(ask({ url, timeoutMs: 200 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('200 ms'),
    })
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it('are unavailable when the server is gone', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const message = expect.stringContaining('ECONNREFUSED')
    await expect(ask({ url: `http://127.0.0.1:${port}` })).rejects.toMatchObject({ code: 'unavailable', message })
  })
})

/** Starts a server that records bodies and answers every query with one point. */
const queried = async () => {
  const bodies: { readonly url: string | undefined; readonly text: string }[] = []
  const url = await listen(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    bodies.push({ url: request.url, text })
    const one = { points: [{ id: 1, version: 0, score: 0.5, payload: {} }] }
    const { searches } = JSON.parse(text) as { readonly searches?: readonly unknown[] }
    response.writeHead(200, json).end(JSON.stringify({ result: searches ? searches.map(() => one) : one }))
  })
  return { bodies, connection: connectQdrant({ url, timeoutMs: 5_000 }) }
}

describe('queries', () => {
  it('send each number of the vector in nine digits, which is the same 32-bit number', async () => {
    const { bodies, connection } = await queried()
    const vector = Float32Array.of(0.1, -1 / 3, 1e-9, 0, 1)
    expect(await connection.query('c', [{ query: vector, limit: 3 }])).toMatchObject([[{ score: 0.5 }]])
    const [{ url, text } = { url: '', text: '' }] = bodies
    expect(url).toBe('/collections/c/points/query')
    expect(text).toContain('[0.100000001,-0.333333343,')
    const sent = JSON.parse(text) as { readonly query: readonly number[]; readonly limit: number }
    expect(Float32Array.from(sent.query)).toEqual(vector)
    expect(sent.limit).toBe(3)
  })

  it('go out in one request', async () => {
    const { bodies, connection } = await queried()
    const vector = Float32Array.of(1)
    const queries = [1, 2].map((limit) => ({ query: vector, limit }))
    const results = await connection.query('c', queries)
    expect(results.map((points) => points.length)).toEqual([1, 1])
    expect(bodies.map(({ url }) => url)).toEqual(['/collections/c/points/query/batch'])
    expect(JSON.parse(bodies[0]?.text ?? '')).toEqual({
      searches: [
        { query: [1], limit: 1 },
        { query: [1], limit: 2 },
      ],
    })
  })

  const longFilters = Array.from({ length: 12 }, (_, index) => ({
    query: Float32Array.of(1),
    limit: index + 1,
    filter: { must: [{ key: 'tags', match: { any: [`${index}`.repeat(12_000)] } }] },
  }))

  it('with long filters go out in several requests, one after another, answered in order', async () => {
    const { bodies, connection } = await queried()
    const results = await connection.query('c', [...longFilters, { query: Float32Array.of(1), limit: 99 }])
    expect(results.map((points) => points.length)).toEqual(Array.from({ length: 13 }, () => 1))
    const limits = bodies.map(({ text }) => (text.match(/"limit":\d+/g) ?? []).map((limit) => Number(limit.slice(8))))
    expect(limits).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
      [11, 12, 99],
    ])
  })

  it('with a filter too long for a shared request are sent alone', async () => {
    const { bodies, connection } = await queried()
    const filter = { must: [{ key: 'tags', match: { any: ['x'.repeat(200_000)] } }] }
    await connection.query('c', [longFilters[0]!, { query: Float32Array.of(1), limit: 1, filter }, longFilters[1]!])
    expect(bodies.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => '/collections/c/points/query'))
  })

  it('that wait behind others are not sent once the signal is aborted', async () => {
    const leaving = new AbortController()
    let requests = 0
    const url = await listen((request, response) => {
      requests += 1
      leaving.abort(new Error('left'))
      request.resume()
      response.writeHead(200, json).end('{}')
    })
    const sent = connectQdrant({ url, timeoutMs: 5_000 }).query('c', longFilters, leaving.signal)
    await expect(sent).rejects.toThrow('left')
    expect(requests).toBe(1)
  })
})

describe.each([
  ['through its client', ask, '/collections/c/points/count'],
  ['with points', upsert, '/collections/c/points?wait=true'],
] as const)('requests to Qdrant, %s,', (_way, ask, own) => {
  const answer = JSON.stringify({ result: { count: 3 }, status: 'ok', time: 0 })

  it('carry the key, say nothing on the console, and keep the key out of errors', async () => {
    const warned = vi.spyOn(console, 'warn')
    const keys: unknown[] = []
    const url = await listen((request, response) => {
      keys.push(request.headers['api-key'])
      if (keys.length === 1) response.writeHead(200, json).end(answer)
      else response.writeHead(400, json).end(fault('no such thing as canary-key'))
    })
    expect(await ask({ url, apiKey: 'canary-key' })).toEqual({ count: 3 })
    const refused = await ask({ url, apiKey: 'canary-key' }).catch((error: unknown) => String(error))
    expect(refused).toContain('no such thing')
    expect(refused).not.toContain('canary-key')
    expect(keys).toEqual(['canary-key', 'canary-key'])
    await ask({ url, apiKey: '' }).catch(() => undefined)
    expect(keys[2]).toBeUndefined()
    expect(warned).not.toHaveBeenCalled()
  })

  it('request an uncompressed response', async () => {
    const encodings: unknown[] = []
    const url = await listen((request, response) => {
      encodings.push(request.headers['accept-encoding'])
      response.writeHead(200, json).end(answer)
    })
    await ask({ url })
    expect(encodings).toEqual(['identity'])
  })

  it('go to the path of the address', async () => {
    const paths: (string | undefined)[] = []
    const url = await listen((request, response) => {
      paths.push(request.url)
      response.writeHead(200, json).end(answer)
    })
    for (const path of ['', '/', '/vectors', '/vectors/']) await ask({ url: `${url}${path}` })
    expect(paths).toEqual([own, own, `/vectors${own}`, `/vectors${own}`])
  })

  it('use the default port of the scheme if the address has none', async () => {
    const error: unknown = await ask({ url: 'http://127.0.0.1' }).catch((failure: unknown) => failure)
    const { cause } = error as { readonly cause: Error }
    // The client's fetch wraps the failure once more.
    expect(cause.cause ?? cause).toMatchObject({ message: expect.stringMatching(/:80$/) })
  })

  it.each(['qdrant:6333', 'ftp://qdrant', 'http://user:secret@qdrant:6333', 'http://qdrant:6333/?key=secret', ''])(
    'are refused for the address %s, which is not repeated',
    (url) => {
      expect(() => connectQdrant({ url, timeoutMs: 100 })).toThrow(expect.objectContaining({ code: 'conflict' }))
      expect(() => connectQdrant({ url, timeoutMs: 100 })).not.toThrow(/secret/)
    },
  )
})
