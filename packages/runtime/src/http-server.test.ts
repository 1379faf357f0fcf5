import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { closeServer, createHttpServer, type HttpServerOptions, takesContinue } from './http-server.ts'

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
  ['a length and chunks at once', `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n`, 400],
  ['a header without a colon', get('nonsense\r\n'), 400],
  ['no HTTP at all', '\u0016\u0003\u0001hello\r\n\r\n', 400],
])('answers %s in JSON and closes', async (_, text, status) => {
  const answer = await (await open())(text)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(String.raw`^HTTP/1.1 ${status} [\s\S]*content-type: application/json[\s\S]*x-request-id: req_`))
  expect(JSON.parse(body)).toMatchObject({ status: 'failure', message: expect.any(String), request_id: expect.stringMatching(/^req_/) })
})

it('takes headers of 15 KB', async () => {
  expect(await (await open())(get(`x: ${'a'.repeat(15 * 1024)}\r\n`))).toMatch(/^HTTP\/1.1 200 /)
})

it('cuts off headers that come too slowly', async () => {
  const answer = await (await open({ headersTimeoutMs: 60, checkEveryMs: 20 }))('GET / HTTP/1.1\r\nhos')
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"status":"failure"/)
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
