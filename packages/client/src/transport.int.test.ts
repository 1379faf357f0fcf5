import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cairn, type CairnOptions } from './index.ts'
import { failure, type Reply, rejection, serve } from './serve.fixture.ts'

const namespaces: Reply = { status: 200, body: { namespaces: [] } }
const unavailable: Reply = { status: 503, body: failure('Wait'), headers: { 'retry-after': '0' } }
const search = { query: 'path', namespaces: ['notes'] }
describe('a call that may be repeated', () => {
  it.each([
    ['503', unavailable],
    ['500', { status: 500, body: failure('Broken') }],
    ['429 without a limit', { status: 429, body: failure('Too many at once'), headers: { 'retry-after': '0' } }],
    ['a cut connection', { status: 0, isCut: true }],
  ] as const)('is sent again after %s', async (_, reply) => {
    const { connect, seen } = await serve(reply, namespaces)
    expect(await connect().namespaces.list()).toEqual([])
    expect(seen).toHaveLength(2)
  })

  it('has its body each time', async () => {
    const { connect, seen } = await serve(unavailable, { status: 200, body: { results: [] } })
    await connect().search(search)
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([search, search])
  })

  it('is sent again as often as it is allowed to be', async () => {
    const { connect, seen } = await serve(unavailable)
    expect(await rejection(connect({ retries: 2 }).namespaces.list())).toMatchObject({ status: 503 })
    expect(seen).toHaveLength(3)
    await rejection(connect({ retries: 0 }).namespaces.list())
    expect(seen).toHaveLength(4)
  })

  it('waits for as long as the server says', async () => {
    const { connect, seen } = await serve({ ...unavailable, headers: { 'retry-after': '1' } }, namespaces)
    await connect().namespaces.list()
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })

  it('waits longer from one attempt to the next without that, and never as long as the limit', async () => {
    const { connect, seen } = await serve({ status: 500 })
    await rejection(connect().namespaces.list())
    const waits = seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0))
    expect(waits).toHaveLength(3)
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** index - 5)
      expect(wait).toBeLessThan(250 * 2 ** index + 1_000)
    }
  })

  it.each([
    ['a wait at the limit', '1', 2],
    ['a wait above the limit', '2', 1],
  ])('with %s', async (_, seconds, requests) => {
    const { connect, seen } = await serve({ ...unavailable, headers: { 'retry-after': seconds } }, namespaces)
    const call = connect({ maxRetryWaitMs: 1_000 }).namespaces.list()
    if (requests === 2) await call
    else expect(await rejection(call)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
    expect(seen).toHaveLength(requests)
  })

  it('is not sent again after an error that does not pass', async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 422]) {
      const { connect, seen } = await serve({ status, body: failure('No') })
      await rejection(connect().namespaces.list())
      expect(seen, String(status)).toHaveLength(1)
    }
  })

  it.each([
    ['the limit of the plan is reached', failure('Too many', { current_usage: 10, limit: 10 })],
    ['the subscription has expired', failure('Renew it', { error: 'Subscription expired' })],
  ])('is not sent again when %s', async (_, body) => {
    const { connect, seen } = await serve({ status: 429, body, headers: { 'retry-after': '0' } })
    expect(await rejection(connect().namespaces.list())).toMatchObject({ code: 'limited', status: 429 })
    expect(seen).toHaveLength(1)
  })
})

describe('a call that must not be repeated', () => {
  const calls: Readonly<Record<string, (cairn: Cairn) => Promise<unknown>>> = {
    'an answer': (cairn) => cairn.answer({ query: 'What?', namespace: 'notes' }),
    readiness: (cairn) => cairn.readiness(),
  }

  it.each(Object.entries(calls))('is sent once when the server fails: %s', async (_, call) => {
    for (const reply of [unavailable, { status: 500 }, { status: 0, isCut: true }]) {
      const { connect, seen } = await serve(reply)
      await rejection(call(connect()))
      expect(seen).toHaveLength(1)
    }
  })

  it.each(Object.entries(calls))('is sent again when the server refused it unread: %s', async (_, call) => {
    const busy = { status: 429, body: failure('Too many at once'), headers: { 'retry-after': '0' } }
    const { connect, seen } = await serve(busy, { status: 200 })
    await call(connect())
    expect(seen).toHaveLength(2)
  })
})

describe('a call that the server runs once', () => {
  const calls: Readonly<Record<string, (cairn: Cairn) => Promise<unknown>>> = {
    'the creation of a namespace': (cairn) => cairn.namespaces.create('notes'),
    'the retry of a file': (cairn) => cairn.files.retry('notes', 'a.txt'),
    'the change of a model': (cairn) => cairn.reindexes.start('notes'),
    'the creation of an account': (cairn) => cairn.admin.accounts.create('Acme', 'starter'),
    'the creation of a key': (cairn) => cairn.admin.keys.create('acc-1', { name: 'ingest' }),
    'the removal of orphans': (cairn) => cairn.admin.orphans.approve(['a']),
  }
  const inProgress: Reply = { status: 409, body: failure('In progress'), headers: { 'retry-after': '0' } }

  it.each(Object.entries(calls))('is sent again with the same key: %s', async (_, call) => {
    const { connect, seen } = await serve({ status: 0, isCut: true }, inProgress, unavailable, { status: 200 })
    const cairn = connect({ adminKey: 'admin', retries: 3 })
    await call(cairn)
    await call(cairn)
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(seen).toHaveLength(5)
    expect(keys[0]).toMatch(/^[!-~]{16,64}$/)
    expect(new Set(keys.slice(0, 4)).size).toBe(1)
    expect(keys[4]).not.toBe(keys[0])
  })

  it.each(Object.entries(calls))('is not sent again after a conflict with what is there: %s', async (_, call) => {
    const { connect, seen } = await serve({ status: 409, body: failure('It is there') })
    expect(await rejection(call(connect({ adminKey: 'admin' })))).toMatchObject({ code: 'conflict' })
    expect(seen).toHaveLength(1)
  })
})

describe('an error', () => {
  it.each([
    [400, 'invalid'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'too_large'],
    [422, 'too_broad'],
    [429, 'limited'],
    [431, 'invalid'],
    [500, 'internal'],
    [503, 'unavailable'],
    [507, 'internal'],
  ] as const)('of status %i has a code, the message and the id of the request', async (status, code) => {
    const { connect } = await serve({ status, body: failure('The reason', { details: { field: 'name' } }) })
    const error = await rejection(connect({ retries: 0 }).namespaces.list())
    expect(error).toMatchObject({ name: 'CairnError', code, status, message: 'The reason', requestId: 'req_1' })
    expect(error.body).toMatchObject({ details: { field: 'name' } })
  })

  it('of a call for files has its text, which is in another field', async () => {
    const { connect } = await serve({ status: 404, body: { error: 'No such file', request_id: 'req_2' } })
    expect(await rejection(connect().files.list('notes'))).toMatchObject({
      message: 'No such file',
      requestId: 'req_2',
    })
  })

  it('has the id of the request from the header if the body is not JSON', async () => {
    const { connect } = await serve({ status: 502, body: '<html>', headers: { 'x-request-id': 'req_3' } })
    expect(await rejection(connect({ retries: 0 }).namespaces.list())).toMatchObject({
      code: 'internal',
      requestId: 'req_3',
      message: 'The server answered 502 without a reason',
    })
  })

  it('says that nobody listens, and that the server is another one', async () => {
    const gone = createServer()
    await once(gone.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
    gone.close()
    const nobody = new Cairn({ url, apiKey: 'key', retries: 0 })
    expect(await rejection(nobody.namespaces.list())).toMatchObject({
      code: 'network',
      status: 0,
      message: `No server answers at ${url} (ECONNREFUSED)`,
    })
    const page = await serve({ status: 200, body: '<html>' })
    expect(await rejection(page.connect().namespaces.list())).toMatchObject({ code: 'unexpected_response' })
  })

  it('is thrown for a redirect that a browser does not describe', async () => {
    const opaque = Object.defineProperties(new Response('', { status: 500 }), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
    })
    const cairn = new Cairn({ url: 'http://127.0.0.1:1', fetch: async () => opaque })
    expect(await rejection(cairn.namespaces.list())).toMatchObject({
      code: 'unexpected_response',
      message: 'The server redirects to another address: use that address instead',
    })
  })

  it('is thrown for a redirect, which would take the key along', async () => {
    const { connect, seen } = await serve({ status: 308, headers: { location: 'http://elsewhere.example/' } })
    expect(await rejection(connect().namespaces.list())).toMatchObject({
      code: 'unexpected_response',
      message: 'The server redirects to http://elsewhere.example/: use that address instead',
    })
    expect(seen).toHaveLength(1)
  })

  it('is thrown for names that would change the path, before anything is sent', async () => {
    const { connect, seen } = await serve(namespaces)
    for (const name of ['', '.', '..', 'a\ud800'])
      expect(await rejection(connect().namespaces.delete(name))).toMatchObject({ code: 'invalid', status: 0 })
    expect(seen).toEqual([])
    await connect().namespaces.delete('a/../b')
    expect(seen[0]?.line).toBe('DELETE /v1/namespaces/a%2F..%2Fb')
  })
})

describe('a call', () => {
  it('ends when its time is up', async () => {
    const { connect, seen } = await serve({ status: 200, hangs: true })
    const cairn = connect({ timeoutMs: 400, retries: 1 })
    expect(await rejection(cairn.namespaces.list())).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^No answer from .* within 0.4 s$/),
    })
    expect(seen).toHaveLength(2)
    await rejection(cairn.namespaces.list({ timeoutMs: 30 }))
  })

  it.each([
    ['before it begins', 0],
    ['while it is under way', 400],
  ])('ends with the reason of its signal that is aborted %s', async (_, afterMs) => {
    const { connect, seen } = await serve({ status: 200, hangs: true })
    const controller = new AbortController()
    const reason = new Error('no longer needed')
    if (afterMs === 0) controller.abort(reason)
    else setTimeout(() => controller.abort(reason), afterMs)
    const call = connect().search(search, { signal: controller.signal })
    await expect(call).rejects.toBe(reason)
    expect(seen).toHaveLength(afterMs === 0 ? 0 : 1)
  })

  it('ends with the reason of its signal during a wait', async () => {
    const { connect } = await serve({ ...unavailable, headers: { 'retry-after': '20' } })
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stop')), 50)
    await expect(connect().namespaces.list({ signal: controller.signal })).rejects.toThrow('stop')
  })

  it.each(['localhost:3000', 'cairn.example.org', '//localhost', 'ftp://localhost', ''])(
    'refuses the URL "%s"',
    (url) => {
      expect(() => new Cairn({ url, apiKey: 'key' })).toThrow(/has no scheme: add http/)
    },
  )

  it('takes an address with a slash at its end', async () => {
    const { url, seen } = await serve(namespaces)
    await new Cairn({ url: `${url}/`, apiKey: 'key' }).namespaces.list()
    expect(seen[0]?.line).toBe('GET /v1/namespaces')
  })
})

describe('an upload in batches', () => {
  const accepted = { status: 202, body: { status: 'success', upload_id: 'upload_1', documents_processed: 1 } }
  const documents = Array.from({ length: 10 }, (_, index) => ({ id: index, text: `Text number ${index}` }))

  it('reads only as much as it can send', async () => {
    const { connect } = await serve({ status: 202, hangs: true })
    let read = 0
    const endless = async function* () {
      for (; ; read += 1) yield { id: read, text: 'The same text over and over' }
    }
    const controller = new AbortController()
    const upload = connect().documents.upload('notes', endless(), {
      batchSize: 5,
      concurrency: 2,
      signal: controller.signal,
    })
    setTimeout(() => controller.abort(new Error('stop')), 100)
    await expect(upload).rejects.toThrow('stop')
    // Two batches in flight, plus the value that did not fit into the second batch.
    expect(read).toBeLessThanOrEqual(11)
  })

  it('repeats a batch that failed, and nothing else', async () => {
    const { connect, seen } = await serve(unavailable, accepted)
    const uploaded = await connect().documents.upload('notes', documents, { batchSize: 5, concurrency: 1 })
    expect(uploaded.uploads).toHaveLength(2)
    const ids = seen.map(({ body }) => JSON.parse(body).documents[0].id)
    expect(ids).toEqual([0, 0, 5])
  })

  it('stops at the first error that does not pass, and ends the source', async () => {
    let isEnded = false
    const source = async function* () {
      try {
        yield* documents
      } finally {
        isEnded = true
      }
    }
    const { connect, seen } = await serve({ status: 403, body: failure('Limit reached') })
    const upload = connect().documents.upload('notes', source(), { batchSize: 1, concurrency: 1 })
    expect(await rejection(upload)).toMatchObject({ code: 'forbidden' })
    expect(seen).toHaveLength(1)
    expect(isEnded).toBe(true)
  })

  it('passes on what its source throws', async () => {
    const { connect } = await serve(accepted)
    const source = async function* () {
      yield* documents
      throw new Error('the source broke')
    }
    await expect(connect().documents.upload('notes', source())).rejects.toThrow('the source broke')
  })

  it('keeps batches below the limit of a body', async () => {
    const { connect, seen } = await serve(accepted)
    const large = Array.from({ length: 9 }, (_, id) => ({ id, text: 'ü'.repeat(500_000) }))
    await connect().documents.upload('notes', large, { batchSize: 100, concurrency: 1 })
    const sizes = seen.map(({ body }) => JSON.parse(body).documents.length)
    expect(sizes).toEqual([7, 2])
  })
})

describe('a streamed answer', () => {
  const frame = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  const stream = (...frames: readonly string[]): Reply => ({
    status: 200,
    body: frames.join(''),
    headers: { 'content-type': 'text/event-stream' },
  })
  const ask = async (cairn: Cairn) => {
    const events: string[] = []
    for await (const { event } of cairn.answerStream({ query: 'What?', namespace: 'notes' })) events.push(event)
    return events
  }

  it('ends with done', async () => {
    const { connect } = await serve(stream(frame('meta', {}), frame('token', { delta: 'ü' }), frame('done', {})))
    expect(await ask(connect())).toEqual(['meta', 'token', 'done'])
  })

  it('throws when the server reports an error, or breaks off', async () => {
    const broken = await serve(stream(frame('meta', {}), frame('error', { message: 'It broke' })))
    expect(await rejection(ask(broken.connect()))).toMatchObject({ code: 'internal', message: 'It broke' })
    const cut = await serve(stream(frame('meta', {}), frame('token', { delta: 'A' })))
    expect(await rejection(ask(cut.connect()))).toMatchObject({ code: 'network' })
  })

  it('ends its request when the reader stops', async () => {
    let isClosed = false
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frame('meta', {}))
      request.socket.once('close', () => {
        isClosed = true
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const cairn = new Cairn({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key' })
    for await (const { event } of cairn.answerStream({ query: 'What?', namespace: 'notes' })) {
      expect(event).toBe('meta')
      break
    }
    await expect.poll(() => isClosed).toBe(true)
  })
})

describe('followed events', () => {
  const frame = (id: string, type: string) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ type })}\n\n`
  const stream = (...frames: readonly string[]): Reply => ({
    status: 200,
    body: frames.join(''),
    headers: { 'content-type': 'text/event-stream' },
  })

  it('go on after the last one when a connection ends, or none can be made', async () => {
    const { connect, seen } = await serve(
      stream(frame('4', 'ready')),
      { status: 200, isCut: true },
      stream(': still at work\n\n', frame('5.0', 'document.accepted'), 'id: 5.1\nevent: doc'),
      stream(frame('5', 'document.accepted')),
    )
    const positions: string[] = []
    for await (const { position } of connect().events()) if (positions.push(position) === 2) break
    expect(positions).toEqual(['5.0', '5'])
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/events',
      'GET /v1/events?after=4',
      'GET /v1/events?after=4',
      'GET /v1/events?after=5.0',
    ])
  })
})

describe('a wait', () => {
  it('ends with the final state, and rejects when its time is up', async () => {
    const running = { status: 200, body: { state: 'running' } }
    const ended = await serve(running, running, { status: 200, body: { state: 'failed', reason: 'internal' } })
    expect(await ended.connect().waitFor.upload('notes', 'upload_1')).toMatchObject({ state: 'failed' })
    expect(ended.seen).toHaveLength(3)
    const endless = await serve(running)
    const wait = endless.connect().waitFor.upload('notes', 'upload_1', { timeoutMs: 150 })
    expect(await rejection(wait)).toMatchObject({
      code: 'timeout',
      message: 'The upload upload_1 did not end within 0.15 s',
    })
  })

  it('gives the server the time that it asked it to wait, on top of the time of an attempt', async () => {
    const waits: string[] = []
    const fetch: CairnOptions['fetch'] = async (request) => {
      const { url, signal } = request as Request
      waits.push(new URL(url).search)
      await delay(600, undefined, { signal })
      return Response.json({ state: 'completed' })
    }
    const cairn = new Cairn({ apiKey: 'key', timeoutMs: 200, retries: 0, fetch })
    expect(await cairn.waitFor.upload('notes', 'upload_1')).toMatchObject({ state: 'completed' })
    expect(waits).toEqual(['?wait=20'])
  })
})

describe('a streamed answer', () => {
  const streamOf = async (write: (response: ServerResponse) => void) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      write(response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const cairn = new Cairn({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key' })
    const events: unknown[] = []
    const read = async () => {
      for await (const event of cairn.answerStream({ query: 'x', namespace: 'n' }, { timeoutMs: 1_000 }))
        events.push(event)
    }
    return { events, error: await rejection(read()) }
  }
  const token = 'event: token\ndata: {"delta":"a"}\n\n'

  it('ends when the server falls silent', async () => {
    const { events, error } = await streamOf((response) => response.write(token))
    expect(events).toEqual([{ event: 'token', delta: 'a' }])
    expect(error).toMatchObject({ code: 'timeout', message: 'Nothing more of the stream came within 1 s' })
  })

  it('ends when an event has no end, before it fills the memory', async () => {
    const piece = 'x'.repeat(1_000_000)
    const { error } = await streamOf((response) => {
      const more = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    })
    expect(error).toMatchObject({ code: 'unexpected_response' })
  })

  it('is read whatever the pieces are in which it arrives', async () => {
    const { events, error } = await streamOf(async (response) => {
      for (const character of token + token) {
        response.write(character)
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    expect(events).toHaveLength(2)
    expect(error).toMatchObject({ code: 'network' })
  })
})
