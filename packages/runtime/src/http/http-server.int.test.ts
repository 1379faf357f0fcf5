import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { closeServer, createHttpServer, type HttpServerOptions, heldBytes, takesContinue } from './http-server.ts'
import { sendResponse } from './send-response.ts'

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections()
})

const open = async (options?: HttpServerOptions) => {
  const server = createHttpServer((raw, response) => {
    if (takesContinue(raw)) response.writeContinue()
    raw.resume().once('end', () => response.end('served'))
  }, options)
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return async (...parts: readonly string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    for (const part of parts) socket.write(part)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  }
}
const get = (headers: string) => `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n`

it.each([
  ['headers of 17 KB', get(`x: ${'a'.repeat(17 * 1024)}\r\n`), 431],
  [
    'a length and chunks at once',
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['two lengths', `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n`, 400],
  ['a header without a colon', get('nonsense\r\n'), 400],
  ['no HTTP at all', '\u0016\u0003\u0001hello\r\n\r\n', 400],
])('answers %s in JSON and closes', async (_, text, status) => {
  const answer = await (await open())(text)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(
    new RegExp(String.raw`^HTTP/1.1 ${status} [\s\S]*content-type: application/json[\s\S]*x-request-id: req_`),
  )
  expect(JSON.parse(body)).toMatchObject({
    status: 'failure',
    message: expect.any(String),
    request_id: expect.stringMatching(/^req_/),
  })
})

it('takes headers of 15 KB', async () => {
  expect(await (await open())(get(`x: ${'a'.repeat(15 * 1024)}\r\n`))).toMatch(/^HTTP\/1.1 200 /)
})

it('cuts off headers that come too slowly', async () => {
  const answer = await (await open({ headersTimeoutMs: 60, checkEveryMs: 20 }))('GET / HTTP/1.1\r\nhos')
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"status":"failure"/)
})

it('keeps a connection that waits for its next request as long as is set, whatever the time for headers', async () => {
  expect(createHttpServer(() => undefined).keepAliveTimeout).toBe(75_000)
  const ask = await open({ headersTimeoutMs: 50, checkEveryMs: 10, keepAliveTimeoutMs: 300 })
  const asked = performance.now()
  // The answer is complete when the server closes the connection.
  const answer = await ask('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  expect(performance.now() - asked).toBeGreaterThan(300)
  expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*served\r\n0\r\n\r\n$|^HTTP\/1.1 200 [\s\S]*served$/)
})

it('tells a waiting client to go on only when the handler wants its body', async () => {
  const answer = await (await open())(
    'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
    '{}',
  )
  expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
})

it('answers what is under way when it is closed, and takes nothing more on the same connection', async () => {
  const asked: string[] = []
  const { promise: go, resolve: open } = Promise.withResolvers<void>()
  const server = createHttpServer(async (raw, response) => {
    asked.push(raw.url ?? '')
    await go
    response.end('served')
  })
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /first HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => asked).toEqual(['/first'])
  const closed = closeServer(server)
  open()
  let answer = ''
  for await (const chunk of socket) {
    answer += String(chunk)
    if (!socket.destroyed) socket.write('GET /second HTTP/1.1\r\nhost: a\r\n\r\n')
  }
  await closed
  expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close[\s\S]*served$/i)
  expect(asked).toEqual(['/first'])
})

/** Starts a response whose headers keep the connection alive; `writeOn` continues it. */
const stream = async (writeOn: (response: ServerResponse) => void, options?: HttpServerOptions) => {
  const begun = Promise.withResolvers<void>()
  const server = createHttpServer((_, response) => {
    response.flushHeaders()
    writeOn(response)
    begun.resolve()
  }, options)
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await begun.promise
  return { server, socket }
}

it('closes the connection of a stream that ends after the server began to close', async () => {
  const end = Promise.withResolvers<void>()
  const { server, socket } = await stream(async (response) => {
    await end.promise
    response.end()
  })
  const closed = closeServer(server)
  end.resolve()
  const ended = once(socket.resume(), 'end')
  // The client does not close the connection; the server does.
  await Promise.all([closed, ended])
}, 5_000)

it.each([
  ['nothing', ''],
  ['half of its headers', 'GET / HTTP/1.1\r\nhos'],
])(
  'does not wait at its end for a connection that has sent %s',
  async (_, sent) => {
    const server = createHttpServer((_raw, response) => response.end())
    opened.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const accepted = once(server, 'connection')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    socket.write(sent)
    await accepted
    await closeServer(server)
    socket.destroy()
  },
  5_000,
)

it('waits at its end only a moment for a client that reads nothing', async () => {
  const options = { checkEveryMs: 20, closingDrainWindowMs: 100 }
  const { server } = await stream((response) => void response.write('x'.repeat(50_000_000)), options)
  await closeServer(server)
}, 5_000)

describe('a connection', () => {
  const serve = async (handle: RequestListener, options?: HttpServerOptions) => {
    const server = createHttpServer(handle, options)
    opened.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const dial = () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    return { server, dial }
  }
  const bodiesOf = (socket: Socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    return () => text.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1)
  }
  /** Answers `<path> <body>`. */
  const echo: RequestListener = async (raw, response) => {
    let body = ''
    for await (const chunk of raw) body += String(chunk)
    // The random delay would reveal responses that are sent in another order than their requests.
    setTimeout(() => response.end(`${raw.url} ${body}`), Math.random() * 4)
  }
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

  it('has one request served at a time, however many come, and holds no answers for a client that reads none', async () => {
    const page = Buffer.alloc(8 * 1024 * 1024, 'x')
    let calls = 0
    const { server, dial } = await serve((raw, response) => {
      calls += 1
      sendResponse(raw, response, { status: 200, body: page, headers: { 'content-type': 'text/plain' } })
    })
    const sockets = new Set<Socket>()
    server.on('connection', (socket) => sockets.add(socket))
    const socket = dial().pause()
    socket.write(request('/metrics').repeat(2_000))
    await expect.poll(() => calls).toBe(1)
    await expect.poll(() => heldBytes(server)).toBeGreaterThan(0)
    const unsent = [...sockets].reduce((sum, one) => sum + one.writableLength, 0)
    expect(calls).toBe(1)
    expect(unsent).toBeLessThan(256 * 1024)
    expect(heldBytes(server)).toBeLessThan(256 * 1024)
    socket.destroy()
    await expect.poll(() => heldBytes(server)).toBe(0)
  })

  it('begins its requests in rounds with those of all others, so that a new connection need not wait for one of each', async () => {
    let inRound = 0
    let maxInRound = 0
    let served = 0
    const server = createHttpServer((_raw, response) => {
      served += 1
      inRound += 1
      maxInRound = Math.max(maxInRound, inRound)
      response.end('served')
    })
    opened.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const countAnew = () => {
      inRound = 0
      rounds = setImmediate(countAnew)
    }
    let rounds = setImmediate(countAnew)
    const { port } = server.address() as AddressInfo
    for (let count = 0; count < 50; count += 1)
      connect(port, '127.0.0.1').resume().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(20))
    await expect.poll(() => served).toBe(1_000)
    clearImmediate(rounds)
    // Four requests begin in each round; a count may span two rounds.
    expect(maxInRound).toBeLessThanOrEqual(8)
  })

  it('answers every pipelined request in its order, in whatever pieces they come', async () => {
    const { dial } = await serve(echo)
    const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const requests = Array.from({ length: 60 }, (_, index) => {
      if (index % 3 === 0) return request(`/${index}`)
      const head = `POST /${index} HTTP/1.1\r\nhost: a\r\n`
      const body = `b${index}\r\n\r\n${'y'.repeat(index * 50)}`
      return `${head}content-length: ${body.length}\r\n\r\n${body}`
    })
    const wanted = requests.map(
      (text, index) => `/${index} ${text.startsWith('GET') ? '' : text.slice(text.indexOf('\r\n\r\n') + 4)}`,
    )
    for (const pieceBytes of [1, 7, 100, 1_000_000]) {
      const socket = dial().setNoDelay()
      const bodies = bodiesOf(socket)
      const text = requests.join('')
      for (let from = 0; from < text.length; from += pieceBytes) {
        socket.write(text.slice(from, from + pieceBytes))
        if (pieceBytes < 10 && from % 256 < pieceBytes) await new Promise(setImmediate)
      }
      await expect.poll(bodies, { timeout: 10_000 }).toEqual(wanted)
      expect(socket.destroyed).toBe(false)
      socket.destroy()
    }
    const last = dial()
    const bodies = bodiesOf(last)
    last.write(`POST /c HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunked('z'.repeat(5_000))}`)
    await expect.poll(bodies).toEqual([`/c ${'z'.repeat(5_000)}`])
    last.write(request('/d'))
    await expect.poll(bodies).toEqual([`/c ${'z'.repeat(5_000)}`, '/d '])
    last.destroy()
  })

  it('is read no faster than its bytes are parsed, and parsed in rounds, when a body comes in tiny chunks', async () => {
    const { server, dial } = await serve((raw, response) => void raw.resume().once('end', () => response.end('served')))
    let maxHeld = 0
    let rounds = 0
    let isOver = false
    const look = () => {
      maxHeld = Math.max(maxHeld, heldBytes(server))
      rounds += 1
      if (!isOver) setImmediate(look)
    }
    look()
    const socket = dial()
    const bodies = bodiesOf(socket)
    const chunks = 400_000
    socket.write(
      `POST /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(chunks)}0\r\n\r\n`,
    )
    await expect.poll(bodies, { timeout: 20_000 }).toEqual(['served'])
    isOver = true
    // Per round, at most four pieces of 1 KiB are parsed, or eight if a read falls between; one more read may be
    // waiting.
    expect(rounds).toBeGreaterThan((chunks * 6) / (2 * 4 * 1_024))
    expect(maxHeld).toBeLessThanOrEqual(64 * 1024)
    socket.destroy()
  })

  it('is closed after the answer when requests that can not be told apart from a body in chunks come behind it', async () => {
    const served: string[] = []
    const { dial } = await serve((raw, response) => {
      served.push(raw.url ?? '')
      raw.resume().once('end', () => response.end('served'))
    })
    const socket = dial()
    socket.write(
      `POST /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${request('/b').repeat(500)}`,
    )
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer.split('HTTP/1.1').length - 1).toBe(1)
    expect(served).toEqual(['/a'])
  })

  it('whose answer its client does not take gives way to a new one where all are busy', async () => {
    const page = Buffer.alloc(8 * 1024 * 1024, 'x')
    const served: string[] = []
    const { dial } = await serve(
      (raw, response) => {
        served.push(raw.url ?? '')
        const body = raw.url === '/page' ? page : Buffer.from('served')
        sendResponse(raw, response, { status: 200, body, headers: { 'content-type': 'text/plain' } })
      },
      { maxConnections: 3, checkEveryMs: 20, idleMs: 60_000 },
    )
    for (let count = 1; count <= 3; count += 1) {
      dial().pause().write(request('/page'))
      await expect.poll(() => served.length).toBe(count)
    }
    const ask = async () => {
      const socket = dial()
      socket.write(request('/'))
      const [bytes] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
      socket.destroy()
      return String(bytes)
    }
    await expect.poll(ask).toMatch(/^HTTP\/1.1 200/)
    // A connection that has not sent its first request yet is not closed for a new one either.
    const early = dial()
    await once(early, 'connect')
    await expect.poll(ask).toMatch(/^HTTP\/1.1 200/)
    const answered = once(early, 'data')
    early.write(request('/'))
    expect(String(await answered)).toMatch(/^HTTP\/1.1 200/)
    early.destroy()
  })

  it('that has been idle longest gives way to a new one, those with a request do not', async () => {
    const { promise: go, resolve: answerSlow } = Promise.withResolvers<void>()
    const served: string[] = []
    const { dial } = await serve(
      async (raw, response) => {
        served.push(raw.url ?? '')
        if (raw.url === '/slow') await go
        response.end('served')
      },
      { maxConnections: 4 },
    )
    const busy = dial()
    const bodies = bodiesOf(busy)
    busy.write(request('/slow'))
    await expect.poll(() => served).toEqual(['/slow'])
    const idle: Socket[] = []
    for (let n = 0; n < 6; n += 1) {
      const socket = dial()
      idle.push(socket)
      const answers = bodiesOf(socket)
      socket.write(request('/quick'))
      await expect.poll(answers).toEqual(['served'])
    }
    await expect.poll(() => idle.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(3)
    answerSlow()
    await expect.poll(bodies).toEqual(['served'])
    for (const socket of [busy, ...idle]) socket.destroy()
  })
})
