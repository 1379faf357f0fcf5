import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { operations } from '@cairn/contracts/api/operations'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../process/logger.ts'
import { createByteBudget } from '../throttles/byte-budget.ts'
import type { Guard } from './api-request.ts'
import { createHttpServer } from './http-server.ts'
import { type JsonBodyOptions, jsonBody } from './json-body.ts'
import { mountRoutes } from './routes.ts'

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections()
})

const open = async (options?: JsonBodyOptions<object>, before: Guard<object> = () => undefined) => {
  const app = express()
  mountRoutes<object>(
    app,
    [
      {
        operation: operations.uploadDocuments,
        guards: [
          (request) => {
            request.caller = {}
          },
          before,
          jsonBody(options),
        ],
        handle: ({ sentBody }) => ({ status: 202, body: { got: JSON.stringify(sentBody).slice(0, 200) } }),
      },
    ],
    {
      log: createLogger({ level: 'silent', name: 'test' }),
      clock: { now: () => 0, monotonic: () => 0 },
      corsOrigins: [],
      checksResponses: false,
    },
  )
  const server = createHttpServer(app)
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/namespaces/a/documents`, {
      method: 'POST',
      body,
      headers,
    })
    return {
      status: response.status,
      json: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    }
  }
  /**
   * Returns everything that the server sends until it closes the connection; `feed` writes more after the headers are
   * sent.
   */
  const raw = async (headers: string, feed: (socket: Socket) => unknown = () => undefined) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`POST /v1/namespaces/a/documents HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    feed(socket)
    await new Promise((resolve) => socket.once('close', resolve))
    return answer
  }
  return { post, raw }
}
const type = 'content-type: application/json\r\n'
const spaces = (bytes: number) => `{}${' '.repeat(bytes - 2)}`

describe('a JSON body', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['\ufeff{"a":1}', '{"a":1}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    [' [1] ', '[1]'],
    ['null', 'null'],
    [`${'['.repeat(64)}${']'.repeat(64)}`, `${'['.repeat(64)}${']'.repeat(64)}`],
  ])('of %j is read as %s', async (body, got) => {
    const { post } = await open()
    expect(await post(body)).toMatchObject({ status: 202, json: { got } })
  })

  it.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['truncated', '{"a":', /not valid JSON/],
    ['followed by text', '{"a":1} x', /not valid JSON/],
    ['with NaN', '{"a":NaN}', /not valid JSON/],
    ['with a comment', '{} // x', /not valid JSON/],
    ['empty', '', /empty/],
    ['blank', '  ', /not valid JSON/],
    ['UTF-16 with a mark', Uint8Array.from(Buffer.from('\ufeff{"a":1}', 'utf16le')), /UTF-8/],
    ['UTF-16 without a mark', Uint8Array.from(Buffer.from('{"a":1}', 'utf16le')), /not valid JSON/],
    ['not UTF-8', Uint8Array.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['65 levels deep', '['.repeat(65), /deeper than 64/],
  ])('that is %s is refused', async (_, body, message) => {
    const { post } = await open()
    const { status, json } = await post(body)
    expect(status).toBe(400)
    expect(json).toMatchObject({
      status: 'failure',
      message: expect.stringMatching(message),
      request_id: expect.any(String),
    })
  })

  it('is never repeated in the answer', async () => {
    const { post } = await open()
    expect(JSON.stringify((await post('{"text": secret-words}')).json)).not.toContain('secret')
  })

  it('100,000 levels deep is refused without working through them', async () => {
    const { post } = await open()
    await post('{}')
    const startedAt = performance.now()
    expect(await post('['.repeat(100_000))).toMatchObject({ status: 400 })
    expect(await post('{"a":'.repeat(100_000))).toMatchObject({ status: 400 })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  it.each([
    [{ 'content-type': 'application/json; charset=UTF-8' }, 202],
    [{ 'content-type': 'Application/JSON;charset="utf-8"' }, 202],
    [{ 'content-type': 'application/json', 'content-encoding': 'identity' }, 202],
    [{ 'content-type': 'application/json; charset=utf-16' }, 400],
    [{ 'content-type': 'text/plain' }, 400],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 400],
    [{ 'content-type': '' }, 400],
  ])('announced by %j is answered %i', async (headers, status) => {
    const { post } = await open()
    expect(await post('{}', headers as Record<string, string>)).toMatchObject({ status })
  })

  it('is refused when it is compressed', async () => {
    const { post } = await open()
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect(await post(Uint8Array.from(gzipSync('{}')), headers)).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('uncompressed') },
    })
  })
})

describe('the size of a JSON body', () => {
  const megabytes10 = 10 * 1024 * 1024

  it('may be 10 MB', async () => {
    const { post } = await open()
    expect(await post(spaces(megabytes10))).toMatchObject({ status: 202 })
  })

  it('may not be one byte more; the answer names the largest batch', async () => {
    const { post } = await open()
    const { status, json, headers } = await post(spaces(megabytes10 + 1))
    expect(status).toBe(413)
    expect(json).toMatchObject({
      status: 'failure',
      message: expect.stringMatching(/10,485,760 bytes.*documents of 50,000/),
    })
    expect(headers.get('connection')).toBe('close')
  })

  it('is judged by its announcement, before it is sent', async () => {
    const { raw } = await open()
    const answer = await raw(`${type}content-length: ${5 * 1024 ** 3}\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  it('is judged while it arrives when it is not announced, and the connection is closed', async () => {
    const { raw } = await open({ limitBytes: 10_000 })
    let sent = 0
    const answer = await raw(`${type}transfer-encoding: chunked\r\n`, (socket) => {
      const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
      const more = () => {
        while (!socket.destroyed && sent < 512 * 1024 * 1024) {
          sent += 0x1000
          if (!socket.write(chunk)) return void socket.once('drain', more)
        }
      }
      more()
    })
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close/i)
  })

  it('is exact for a body in chunks', async () => {
    const { raw } = await open({ limitBytes: 16 })
    const inChunks = (body: string) => (socket: Socket) =>
      socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    const headers = `${type}transfer-encoding: chunked\r\nconnection: close\r\n`
    expect(await raw(headers, inChunks(spaces(16)))).toMatch(/^HTTP\/1.1 202 /)
    expect(await raw(headers, inChunks(spaces(17)))).toMatch(/^HTTP\/1.1 413 /)
  })

  it('is judged before a client that asks is told to go on', async () => {
    const { raw } = await open()
    const headers = (length: number) =>
      `${type}expect: 100-continue\r\nconnection: close\r\ncontent-length: ${length}\r\n`
    expect(await raw(headers(megabytes10 + 1))).toMatch(/^HTTP\/1.1 413 /)
    expect(await raw(headers(2), (socket) => socket.once('data', () => socket.write('{}')))).toMatch(
      /^HTTP\/1.1 100 Continue[\s\S]*HTTP\/1.1 202 /,
    )
  })
})

const bodyOf = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`

describe('the bytes of JSON bodies in flight', () => {
  const megabyte = 1024 * 1024
  const setUp = async () => {
    const budget = createByteBudget({ totalBytes: 4 * megabyte, ownerBytes: 3 * megabyte })
    const owner = { name: 'a' }
    return { budget, owner, ...(await open({ budget, ownerOf: () => owner.name })) }
  }
  /**
   * Sends the headers of a request with a body, but no body; the caller writes it, or closes the connection, through
   * `socket`.
   */
  const begin = ({ raw }: Awaited<ReturnType<typeof setUp>>, size: number, headers = `content-length: ${size}\r\n`) => {
    const socket = Promise.withResolvers<Socket>()
    const answer = raw(`${type}${headers}`, socket.resolve)
    return { answer, socket: socket.promise }
  }

  it('are counted while they are awaited, and refused to an account and to everybody beyond their share', async () => {
    const scene = await setUp()
    const first = begin(scene, 2 * megabyte)
    await expect.poll(scene.budget.heldBytes).toBe(2 * megabyte)
    const { status, headers, json } = await scene.post(bodyOf(2 * megabyte))
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(json).toMatchObject({ status: 'failure', message: expect.stringContaining('retry') })
    scene.owner.name = 'b'
    expect(await scene.post(bodyOf(megabyte))).toMatchObject({ status: 202 })
    expect(await scene.post(bodyOf(3 * megabyte))).toMatchObject({ status: 503 })
    // Small bodies are never refused.
    expect(await scene.post(bodyOf(60_000))).toMatchObject({ status: 202 })
    ;(await first.socket).destroy()
    await expect.poll(scene.budget.heldBytes).toBe(0)
  })

  it('are given back after an answer, a refusal and a client that left', async () => {
    const scene = await setUp()
    expect(await scene.post(bodyOf(megabyte))).toMatchObject({ status: 202 })
    expect(await scene.post('['.repeat(megabyte))).toMatchObject({ status: 400 })
    expect(await scene.post('x'.repeat(megabyte))).toMatchObject({ status: 400 })
    const left = begin(scene, megabyte)
    await expect.poll(scene.budget.heldBytes).toBe(megabyte)
    ;(await left.socket).destroy()
    await expect.poll(scene.budget.heldBytes).toBe(0)
  })

  it('are none of a client that left before its body was wanted', async () => {
    const budget = createByteBudget({ totalBytes: 4 * megabyte, ownerBytes: 3 * megabyte })
    const ended: string[] = []
    const { raw } = await open({ budget }, async (request) => {
      request.onEnd(() => ended.push('ended'))
      await new Promise((resolve) => request.raw.once('close', resolve))
    })
    void raw(`${type}content-length: ${megabyte}\r\n`, (socket) => socket.write('{', () => socket.destroy()))
    await expect.poll(() => ended).toEqual(['ended'])
    expect(budget.heldBytes()).toBe(0)
  })

  it('are counted as they come where a body is not announced, by what is kept for it', async () => {
    const scene = await setUp()
    const { answer, socket } = begin(scene, 0, 'transfer-encoding: chunked\r\n')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    ;(await socket).write(chunk.repeat(16))
    await expect.poll(scene.budget.heldBytes).toBeGreaterThanOrEqual(megabyte)
    expect(scene.budget.heldBytes()).toBeLessThanOrEqual(3 * megabyte)
    ;(await socket).write(chunk.repeat(64))
    expect(await answer).toMatch(/^HTTP\/1.1 429 /)
    await expect.poll(scene.budget.heldBytes).toBe(0)
  })

  it('are not more for a body that comes in pieces of one byte', async () => {
    const { raw } = await open()
    const pieces = '1\r\n \r\n'.repeat(20_000)
    const answer = await raw(`${type}transfer-encoding: chunked\r\nconnection: close\r\n`, (socket) =>
      socket.write(`2\r\n{}\r\n${pieces}0\r\n\r\n`),
    )
    expect(answer).toMatch(/^HTTP\/1.1 202 [\s\S]*"got":"{}"/)
  })
})

describe('what a JSON body would become', () => {
  it.each([
    [
      'keys',
      `{${Array.from({ length: 100_001 }, (_, index) => `"k${index}":1`).join()}}`,
      'at most 100,000 keys (given: 100,001)',
    ],
    ['objects', `{"a":[${'{},'.repeat(100_000)}1]}`, 'at most 100,000 objects and arrays (given: 100,002)'],
    ['elements', `{"a":[${'0,'.repeat(250_001)}1]}`, 'at most 250,000 elements (given: 250,001)'],
  ])('is refused before it is parsed when it has too many %s', async (_, body, text) => {
    const { post } = await open()
    expect(await post(body)).toMatchObject({ status: 400, json: { message: expect.stringContaining(text) } })
    // This body is not valid JSON: the limits are checked before parsing.
    expect(await post(`${body}]`)).toMatchObject({ status: 400, json: { message: expect.stringContaining(text) } })
  })

  it('is refused in the words of the field that has too many elements, however many these are', async () => {
    const { post } = await open()
    const message = 'documents must be an array of 1 to 100 documents (given: an array of 3000001)'
    const details = { field: 'documents', requirement: 'must be an array of 1 to 100 documents' }
    expect(await post(`{"documents":[${'{},'.repeat(3_000_000)}{}]}`)).toMatchObject({
      status: 400,
      json: { message, details },
    })
  })
})

describe('the pace of a JSON body', () => {
  it('counts for each window: what came before does not pay for a standstill', async () => {
    const { raw } = await open({ graceMs: 30, windowMs: 60, minBytesPerSecond: 100 })
    const answer = await raw(`${type}content-length: 1000000\r\n`, (socket) => socket.write(`{}${' '.repeat(500_000)}`))
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*too slowly/)
  })

  it('must not stay below the minimum rate', async () => {
    const { raw } = await open({ graceMs: 40, minBytesPerSecond: 1_000_000 })
    const answer = await raw(`${type}content-length: 2000\r\n`, (socket) => socket.write('{'))
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*too slowly/)
  })

  it('may be slow when what has come pays for the time', async () => {
    const { raw } = await open({ graceMs: 30, minBytesPerSecond: 10 })
    const answer = await raw(`${type}content-length: 100\r\nconnection: close\r\n`, (socket) => {
      socket.write(`{}${' '.repeat(97)}`)
      setTimeout(() => socket.write(' '), 80)
    })
    expect(answer).toMatch(/^HTTP\/1.1 202 /)
  })
})
