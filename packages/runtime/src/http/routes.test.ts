import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { unauthenticated } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../process/logger.ts'
import type { ApiRequest, Guard, Route } from './api-request.ts'
import { createHttpServer } from './http-server.ts'
import { jsonBody } from './json-body.ts'
import { type Answered, mountRoutes } from './routes.ts'

type Caller = { readonly accountId: string }

const auth: Guard<Caller> = (request) => {
  const key = request.header('x-api-key')
  if (key === undefined) throw unauthenticated('missingKey')
  if (key !== 'good') throw unauthenticated('invalidKey')
  request.caller = { accountId: 'acc' }
}
const listFiles = {
  ...operations.listNamespaces,
  operationId: 'listFiles',
  path: '/v1/namespaces/{namespace_name}/list-files',
  errors: 'files',
} as const

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections()
})

const open = async (
  routes: readonly Route<Caller>[],
  corsOrigins: readonly string[] = ['*'],
  checksResponses = false,
) => {
  const lines: string[] = []
  const answered: Answered[] = []
  const app = express()
  const log = createLogger({ level: 'info', name: 'test', write: (line) => void lines.push(line) })
  const clock = { now: () => Date.UTC(2026, 0, 1), monotonic: () => performance.now() }
  mountRoutes(app, routes, {
    log,
    clock,
    corsOrigins,
    observe: (each) => void answered.push(each),
    // By default, the routes in this file may return any response.
    checksResponses,
  })
  const server = createHttpServer(app)
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  /** Sends a request with the path unchanged, unlike `fetch`. */
  const call = (
    method: string,
    path: string,
    headers: Record<string, string> = { 'x-api-key': 'good' },
    body?: string,
  ) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string; json: unknown }>((resolve, reject) => {
      const outgoing = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.once('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          })
        })
      })
      outgoing.once('error', reject).end(body)
    })
  const raw = async (text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(text)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  }
  return { port, call, raw, lines, answered }
}

const ok = (handle: Route<Caller>['handle'] = () => ({ status: 200, body: { ok: true } })): Route<Caller>[] => [
  { operation: operations.listNamespaces, guards: [auth], handle },
  { operation: operations.createNamespace, guards: [auth, jsonBody()], handle },
  { operation: operations.deleteNamespace, guards: [auth], handle },
  { operation: operations.fetchTextData, guards: [auth], handle },
  { operation: operations.uploadDocuments, guards: [auth, jsonBody()], handle },
  { operation: operations.getUpload, guards: [auth], handle },
  { operation: operations.getLiveness, guards: [], handle },
  { operation: listFiles, guards: [auth], handle },
]

describe('a row', () => {
  it('answers with what its endpoint returns', async () => {
    const { call } = await open(ok(() => ({ status: 202, body: { a: 1 }, headers: { location: '/x' } })))
    const answer = await call('GET', '/v1/namespaces')
    expect(answer).toMatchObject({
      status: 202,
      json: { a: 1 },
      headers: { location: '/x', 'content-type': 'application/json; charset=utf-8' },
    })
  })

  it('answers 500 to a response that its operation does not declare', async () => {
    const { call, lines } = await open(ok(), [], true)
    const answer = await call('GET', '/v1/namespaces')
    expect(answer).toMatchObject({ status: 500, json: { error: 'Internal server error' } })
    expect(lines.join('')).toContain('response 200 of listNamespaces is not as declared: namespaces: ')
  })

  it('sends text as it is when the endpoint names its type', async () => {
    const { call } = await open(ok(() => ({ status: 200, body: '<p>hi', headers: { 'content-type': 'text/html' } })))
    expect(await call('GET', '/livez', {})).toMatchObject({
      text: '<p>hi',
      headers: { 'content-type': 'text/html', 'content-length': '5' },
    })
  })

  it('hands the endpoint the caller, decoded parameters, the query and the time it took', async () => {
    let seen: ApiRequest<Caller> | undefined
    const { call } = await open(
      ok((request) => {
        seen = request
        return { status: 200, body: request.timings.seconds() }
      }),
    )
    const answer = await call('GET', '/v1/namespaces/a%2Db/documents/fetch-text-data?limit=5&x=1&x=2&__proto__=y')
    expect(answer.json).toEqual({ total: expect.any(Number) })
    expect(seen).toMatchObject({ caller: { accountId: 'acc' }, params: { namespace_name: 'a-b' } })
    expect({ ...seen?.sentQuery }).toEqual(JSON.parse('{"limit":"5","x":["1","2"],"__proto__":"y"}'))
    expect(seen?.operation.operationId).toBe('fetchTextData')
  })

  it('has every value of a repeated parameter, empty ones and thousands too', async () => {
    let seen: ApiRequest<Caller>['sentQuery'] | undefined
    const { call } = await open(
      ok(({ sentQuery }) => {
        seen = sentQuery
        return { status: 200, body: {} }
      }),
    )
    await call('GET', `/v1/namespaces/a/documents/fetch-text-data?limit=&limit=5&y[]=1&y=2&${'x=1&'.repeat(3_000)}`)
    expect({ ...seen }).toEqual({ limit: ['', '5'], y: ['1', '2'], x: Array.from({ length: 3_000 }, () => '1') })
  })

  it('returns metadata with a __proto__ key byte for byte', async () => {
    const metadata = '{"__proto__":{"x":1},"constructor":2}'
    const { call } = await open(ok(() => ({ status: 200, body: { metadata: JSON.parse(metadata) } })))
    expect((await call('GET', '/v1/namespaces')).text).toBe(`{"metadata":${metadata}}`)
  })

  it('refuses to run its endpoint when no guard said who the caller is', async () => {
    const { call } = await open([{ operation: operations.listNamespaces, guards: [], handle: () => ({ status: 200 }) }])
    expect(await call('GET', '/v1/namespaces')).toMatchObject({ status: 500 })
  })

  it('tells the endpoint when the client goes away, and the observer that nobody was answered', async () => {
    const gone = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const { port, answered } = await open(
      ok(async ({ signal }) => {
        entered.resolve()
        await once(signal, 'abort')
        gone.resolve()
        return { status: 200 }
      }),
    )
    const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/v1/namespaces', headers: { 'x-api-key': 'good' } })
    outgoing.on('error', () => undefined).end()
    await entered.promise
    outgoing.destroy()
    await gone.promise
    await expect.poll(() => answered).toMatchObject([{ operationId: 'listNamespaces', status: 499 }])
  })
})

describe('a refusal', () => {
  it('has the shape of the row, from whichever guard it comes', async () => {
    const { call } = await open(ok())
    expect((await call('GET', '/v1/namespaces', {})).json).toMatchObject({
      status: 'failure',
      message: 'Unauthorized: API key is missing',
      error: 'Unauthorized',
    })
    expect((await call('GET', '/v1/namespaces/a/list-files', {})).json).toEqual({
      error: 'Unauthorized',
      message: 'Unauthorized: API key is missing',
      request_id: expect.any(String),
    })
  })

  it('comes from the key before the body is looked at', async () => {
    const { call } = await open(ok())
    expect(await call('POST', '/v1/namespaces', { 'content-type': 'application/json' }, '{')).toMatchObject({
      status: 401,
    })
    expect(
      await call('POST', '/v1/namespaces', { 'content-type': 'application/json', 'x-api-key': 'good' }, '{'),
    ).toMatchObject({
      status: 400,
    })
  })

  it('carries headers that a guard set before', async () => {
    const limits: Guard<Caller> = (request) => {
      request.setHeader('RateLimit', '"plan";r=0')
      throw new AppError('limited', 'no more', { body: { current_usage: 5, limit: 5 }, retryAfterSeconds: 30 })
    }
    const { call } = await open([
      { operation: operations.listNamespaces, guards: [auth, limits], handle: () => ({ status: 200 }) },
    ])
    expect(await call('GET', '/v1/namespaces')).toMatchObject({
      status: 429,
      json: { current_usage: 5, limit: 5 },
      headers: { ratelimit: '"plan";r=0', 'retry-after': '30' },
    })
  })

  it('is one fixed sentence for what nobody expected, and is logged once with its cause', async () => {
    const { call, lines } = await open(
      ok(() => {
        throw new Error('socket of the engine', { cause: new Error('deeper') })
      }),
    )
    const answer = await call('GET', '/v1/namespaces', { 'x-api-key': 'good', 'x-request-id': 'mine-1' })
    expect(answer).toMatchObject({
      status: 500,
      json: { message: expect.stringContaining('"List namespaces" failed'), request_id: 'mine-1' },
    })
    expect(answer.text).not.toMatch(/engine|\.ts|at /)
    await expect.poll(() => lines).toHaveLength(2)
    expect(lines[0]).toContain('deeper')
    expect(lines.filter((line) => line.includes('socket of the engine'))).toHaveLength(1)
    expect(lines.every((line) => line.includes('mine-1'))).toBe(true)
  })

  it('never looks at X-Forwarded headers, a key in the address or a key in the body', async () => {
    const { call, lines } = await open(ok())
    const path = '/v1/namespaces?x-api-key=good'
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' }
    const answer = await call('POST', path, headers, '{"x-api-key":"good","api_key":"good"}')
    expect(answer).toMatchObject({ status: 401 })
    expect(JSON.stringify(answer)).not.toContain('evil')
    await expect.poll(() => lines).toHaveLength(1)
    expect(lines.join()).not.toContain('x-api-key')
  })

  it('does not take the second of two keys', async () => {
    const { raw } = await open(ok())
    const answer = await raw(
      'GET /v1/namespaces HTTP/1.1\r\nhost: a\r\nx-api-key: bad\r\nx-api-key: good\r\nconnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })

  it('takes the key from a header of any case', async () => {
    const { raw } = await open(ok())
    expect(await raw('GET /v1/namespaces HTTP/1.1\r\nhost: a\r\nX-API-Key: good\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 /,
    )
  })
})

describe('a path', () => {
  it.each([
    ['GET', '/v1/namespaces//documents/fetch-text-data', 'namespace is required'],
    ['POST', '/v1/namespaces//documents', 'namespace is required'],
    ['DELETE', '/v1/namespaces/', 'namespace is required'],
    ['GET', '/v1/namespaces//uploads/x', 'namespace is required'],
    ['GET', '/v1/namespaces/a/uploads/', 'upload_id is required'],
  ])('with an empty segment is refused: %s %s', async (method, path, message) => {
    const { call } = await open(ok())
    const headers = { 'x-api-key': 'good', 'content-type': 'application/json' }
    const body = method === 'POST' ? '{}' : undefined
    expect(await call(method, path, headers, body)).toMatchObject({ status: 400, json: { status: 'failure', message } })
    expect(await call(method, path, {})).toMatchObject({ status: 401 })
  })

  it.each(['/v1/namespaces/%zz', '/v1/namespaces/%ff/documents/fetch-text-data', '/v1/namespaces/%e2%82'])(
    'that is not percent-encoded UTF-8 is refused: %s',
    async (path) => {
      const { call } = await open(ok())
      expect(await call(path.endsWith('data') ? 'GET' : 'DELETE', path)).toMatchObject({
        status: 400,
        json: { status: 'failure' },
      })
    },
  )

  it.each(['..', '%2e%2e', 'a%2Fb', 'a%00', '%EF%BC%A1', 'a b'.replace(' ', '%20'), 'x'.repeat(10_240)])(
    'never takes %j to an endpoint, because nothing can have that name',
    async (name) => {
      const { call } = await open(ok())
      const answer = await call('DELETE', `/v1/namespaces/${name}`)
      expect(answer).toMatchObject({ status: 404, json: { status: 'failure', error: 'Namespace not found' } })
    },
  )

  it.each(['__proto__', 'constructor'])('takes the legal name %s to its endpoint', async (name) => {
    const { call } = await open(ok())
    expect(await call('DELETE', `/v1/namespaces/${name}`)).toMatchObject({ status: 200 })
  })

  it('that is unknown is 404 in the shape of its neighbours, in any case of letters but the right one', async () => {
    const { call } = await open(ok())
    expect(await call('GET', '/v1/nothing')).toMatchObject({
      status: 404,
      json: { status: 'failure', error: 'Not found' },
    })
    expect(await call('GET', '/V1/Namespaces')).toMatchObject({ status: 404 })
    expect((await call('GET', '/v1/namespaces/a/list-files/x')).json).toEqual({
      error: expect.any(String),
      request_id: expect.any(String),
    })
  })

  it('says which methods it has', async () => {
    const { call } = await open(ok())
    expect(await call('PUT', '/v1/namespaces')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST' },
      json: { status: 'failure' },
    })
    expect(await call('TRACE', '/v1/namespaces/a')).toMatchObject({ status: 405, headers: { allow: 'DELETE' } })
    expect(await call('OPTIONS', '/v1/namespaces')).toMatchObject({
      status: 204,
      headers: { allow: 'GET, POST' },
      text: '',
    })
    expect(await call('OPTIONS', '/v1/nothing')).toMatchObject({ status: 404 })
    expect(await call('HEAD', '/v1/namespaces')).toMatchObject({ status: 200, text: '' })
  })
})

describe('every answer', () => {
  it('names the call, by a safe id that was sent or one of its own', async () => {
    const { call } = await open(ok())
    const idOf = async (sent: string) =>
      (await call('GET', '/v1/nothing', { 'x-request-id': sent })).headers['x-request-id']
    expect(await idOf('a.B-3_x')).toBe('a.B-3_x')
    expect(await idOf('x'.repeat(64))).toBe('x'.repeat(64))
    expect(await idOf('x'.repeat(65))).toMatch(/^req_[0-9a-f-]{36}$/)
    expect(await idOf('a b')).toMatch(/^req_/)
    expect(await idOf('<script>')).toMatch(/^req_/)
  })

  it('says nothing about what serves it and much about what a browser must not do', async () => {
    const { call } = await open(ok())
    const { headers } = await call('GET', '/v1/namespaces')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('etag')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    })
  })

  it('lets no page of another origin read health and metrics', async () => {
    const rows = [operations.getMetrics, operations.getReadiness, operations.getLiveness].map((operation) => ({
      operation,
      guards: [],
      handle: async () => ({ status: 200, body: {} }),
    }))
    const { call } = await open(rows)
    for (const path of ['/metrics', '/metrics/', '/metrics?a=1', '/readyz', '/livez'])
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await call(method, path, {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
        })
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    expect((await call('GET', '/elsewhere', { origin: 'https://app.example' })).headers).toHaveProperty(
      'access-control-allow-origin',
    )
  })

  it('lets pages of the configured origins read it', async () => {
    const { call } = await open(ok(), ['https://app.example'])
    const asked = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    }
    expect(await call('OPTIONS', '/v1/namespaces', asked)).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': 'https://app.example', 'access-control-allow-methods': 'GET, POST' },
    })
    expect((await call('GET', '/v1/namespaces', { origin: 'https://app.example' })).headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
    })
    expect((await call('GET', '/v1/namespaces', { origin: 'https://evil.example' })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
  })

  it('is told to the observer and the log, without the path that was called', async () => {
    const { call, answered, lines } = await open(ok())
    await call('DELETE', '/v1/namespaces/secret-name')
    await call('GET', '/v1/secret-name')
    await call('GET', '/livez', {})
    await expect.poll(() => answered).toHaveLength(3)
    expect(answered).toMatchObject([
      { operationId: 'deleteNamespace', method: 'DELETE', route: '/v1/namespaces/{namespace_name}', status: 200 },
      { operationId: 'unmatched', method: 'GET', route: 'unmatched', status: 404 },
      { operationId: 'getLiveness', status: 200 },
    ])
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('secret-name')
  })
})

describe('headers', () => {
  it('that announce a coding of the body other than chunked are refused, since nothing would undo it', async () => {
    const { raw } = await open(ok())
    const head =
      'POST /v1/namespaces HTTP/1.1\r\nHost: x\r\nx-api-key: good\r\nContent-Type: application/json\r\nConnection: close\r\n'
    const body = '2\r\n{}\r\n0\r\n\r\n'
    const refused = await raw(`${head}Transfer-Encoding: gzip, chunked\r\n\r\n${body}`)
    expect(refused).toMatch(/^HTTP\/1\.1 400 /)
    expect(refused).toContain('Transfer-Encoding must be chunked')
    expect(await raw(`${head}Transfer-Encoding: Chunked\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('of more than 200 are refused', async () => {
    const { raw } = await open(ok())
    const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}: 1\r\n`).join('')
    const answer = (count: number) => raw(`GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${many(count)}\r\n`)
    expect(await answer(198)).toMatch(/^HTTP\/1.1 200 /)
    expect(await answer(199)).toMatch(/^HTTP\/1.1 431 [\s\S]*"status":"failure"/)
    expect(await answer(1_999)).toMatch(/^HTTP\/1.1 431 /)
  })

  it.each([
    ['an absolute address', 'GET http://evil.example/livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['the form of HTTP/0.9', 'GET /livez\r\n\r\n'],
    ['no Host', 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two Hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nhOST: y\r\nconnection: close\r\n\r\n'],
    ['one Host twice', 'GET /livez HTTP/1.1\r\nhost: x\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ])('of a request with %s are refused', async (_, text) => {
    const { raw } = await open(ok())
    expect(await raw(text)).toMatch(/^HTTP\/1.1 400 [\s\S]*"status":"failure"/)
  })
})

describe('what a call holds', () => {
  const openHolding = async (handle: Route<Caller>['handle'], guard: Guard<Caller> = () => undefined) => {
    let held = 0
    const hold: Guard<Caller> = (request) => {
      held += 1
      request.onEnd(() => {
        held -= 1
      })
    }
    const rows = [{ operation: operations.listNamespaces, guards: [auth, hold, guard], handle }]
    return { ...(await open(rows)), held: () => held }
  }

  it.each<[string, Route<Caller>['handle'], Guard<Caller>, number]>([
    ['is answered', () => ({ status: 200, body: {} }), () => undefined, 200],
    [
      'is refused by a later guard',
      () => ({ status: 200, body: {} }),
      () => {
        throw new AppError('limited', 'too much')
      },
      429,
    ],
    ['fails', () => Promise.reject(new Error('a mistake of ours')), () => undefined, 500],
  ])('is released when it %s', async (_, handle, guard, status) => {
    const { call, held } = await openHolding(handle, guard)
    expect((await call('GET', '/v1/namespaces')).status).toBe(status)
    await expect.poll(held).toBe(0)
  })

  it('is held while it works for a client that has left, and released then', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>()
    const { port, held, answered } = await openHolding(async () => {
      await go
      return { status: 200, body: {} }
    })
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /v1/namespaces HTTP/1.1\r\nhost: a\r\nx-api-key: good\r\n\r\n')
    await expect.poll(held).toBe(1)
    socket.destroy()
    await expect.poll(() => answered.map(({ status }) => status)).toEqual([499])
    expect(held()).toBe(1)
    resolve()
    await expect.poll(held).toBe(0)
  })
})
