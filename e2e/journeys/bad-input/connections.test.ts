import type { Socket } from 'node:net'
import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { checkAnswer, expectDiscreet } from '../../check-answer.ts'
import { httpCall, type Spoken, socketOf, speak } from '../../raw-http.ts'
import { useScene } from './scene.ts'

const scene = useScene()
const url = () => scene.story.target.url
const key = () => `x-api-key: ${scene.member.apiKey}\r\n`
const get = 'GET /v1/namespaces HTTP/1.1\r\nhost: x\r\n'
const close = 'connection: close\r\n'

/** Expects a single error response in JSON that reveals no internals, and a closed connection. */
const expectRefused = (spoken: Spoken, status: number) => {
  expect(spoken).toMatchObject({ statuses: [status], closed: true })
  const [head = '', body = ''] = spoken.text.split('\r\n\r\n')
  expect(head.toLowerCase()).toContain('content-type: application/json')
  expect(JSON.parse(body)).toMatchObject({ status: 'failure', request_id: /x-request-id: (\S+)/i.exec(head)?.[1] })
  expectDiscreet({ status, text: body })
}

describe('B21: headers', () => {
  it('of more than 16 KB are 431, below that they are taken', async () => {
    const padding = (bytes: number) => `x-padding: ${'p'.repeat(bytes)}\r\n`
    expectRefused(await speak(url(), `${get}${key()}${padding(17 * 1024)}\r\n`), 431)
    expectRefused(
      await speak(url(), `GET /v1/namespaces?${'q'.repeat(17 * 1024)} HTTP/1.1\r\nhost: x\r\n${key()}\r\n`),
      431,
    )
    expect((await speak(url(), `${get}${key()}${padding(15 * 1024)}${close}\r\n`)).statuses).toEqual([200])
  })

  it('more than 200 of them are 431', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, turn) => `a${turn}: b\r\n`).join('')
    expect((await speak(url(), `${get}${key()}${close}${many(197)}\r\n`)).statuses).toEqual([200])
    expectRefused(await speak(url(), `${get}${key()}${close}${many(198)}\r\n`), 431)
    expectRefused(await speak(url(), `${get}${key()}${close}${'a:\r\n'.repeat(2_001)}\r\n`), 431)
  })

  it('with two keys hold no key, whichever is good', async () => {
    const other = await scene.story.member()
    const keys = [scene.member.apiKey, other.apiKey, 'nonsense', scene.member.apiKey]
    for (let index = 0; index + 1 < keys.length; index += 1) {
      const pair = `x-api-key: ${keys[index]}\r\nX-API-Key: ${keys[index + 1]}\r\n`
      expect((await speak(url(), `${get}${pair}${close}\r\n`)).statuses).toEqual([401])
    }
    const same = `${key()}${key()}`
    expect((await speak(url(), `${get}${same}${close}\r\n`)).statuses).toEqual([401])
    const admin = `x-admin-key: ${scene.story.target.adminKey}\r\n`
    expect(
      (await speak(url(), `GET /admin/v1/accounts HTTP/1.1\r\nhost: x\r\n${admin}${admin}${close}\r\n`)).statuses,
    ).toEqual([401])
  })

  const inner = 'GET /admin/v1/accounts HTTP/1.1\r\nhost: x\r\n\r\n'
  const post = 'POST /v1/search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const malformed: readonly (readonly [name: string, request: string])[] = [
    [
      'a length and chunks',
      `${post}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${inner}`,
    ],
    [
      'chunks and a length',
      `${post}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n${inner}`,
    ],
    ['two lengths', `${post}content-length: 2\r\ncontent-length: 60\r\n\r\n{}${inner}`],
    ['the same length twice', `${post}content-length: 2\r\ncontent-length: 2\r\n\r\n{}${inner}`],
    ['a length with a sign', `${post}content-length: +2\r\n\r\n{}`],
    ['a negative length', `${post}content-length: -2\r\n\r\n{}`],
    ['a hexadecimal length', `${post}content-length: 0x2\r\n\r\n{}`],
    ['a length of 30 digits', `${post}content-length: ${'9'.repeat(30)}\r\n\r\n{}`],
    ['chunks that are not last', `${post}transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n${inner}`],
    ['an encoding that is none', `${post}transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${inner}`],
    ['a chunk with a bad size', `${post}${'KEY'}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk of a size beyond counting', `${post}${'KEY'}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n{}`],
    ['a blank before the colon', `${get}x-api-key : abc\r\n\r\n`],
    ['a folded header', `${get}x-api-key:\r\n abc\r\n\r\n`],
    ['a NUL in a header', `${get}x-note: a\u0000b\r\n\r\n`],
    ['a bare carriage return', `${get}x-note: a\rb: c\r\n\r\n`],
    ['no name', `${get}: abc\r\n\r\n`],
    ['an absolute address', `GET http://evil.example/v1/namespaces HTTP/1.1\r\nhost: x\r\n${close}KEY\r\n`],
    ['no path', `GET v1/namespaces HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
    ['a star', `OPTIONS * HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
    ['no Host', `GET /v1/namespaces HTTP/1.1\r\n${close}KEY\r\n`],
    ['a path with a NUL', `GET /v1/name\u0000spaces HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['a path with a blank', `GET /v1/name spaces HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['HTTP/0.9', 'GET /v1/namespaces\r\n\r\n'],
    ['HTTP/3.0', 'GET /v1/namespaces HTTP/3.0\r\nhost: x\r\n\r\n'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the beginning of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
    ['a method that is none', 'FETCH /v1/namespaces HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a small method', 'get /v1/namespaces HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['another language', 'HELO example.org\r\n\r\n'],
  ]
  it.each(malformed)('with %s are refused once and the connection is ended', async (_name, request) => {
    expectRefused(await speak(url(), Buffer.from(request.replace('KEY', key()), 'latin1')), 400)
  })

  it('ask for no tunnel and no other protocol', async () => {
    const connect = await speak(url(), 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n', {
      withinMs: 2_000,
    })
    expect(connect.closed).toBe(true)
    expect(connect.text).not.toContain('200')
    const upgrade = `connection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n`
    expect((await speak(url(), `${get}${key()}${upgrade}\r\n`)).statuses).toEqual([200])
  })

  it('of several requests on one connection are answered one by one, in their order', async () => {
    const good = `${get}${key()}\r\n`
    const bad = `${get}\r\n`
    const spoken = await speak(url(), `${good}${bad}${good}${get}${close}\r\n`)
    expect(spoken.statuses).toEqual([200, 401, 200, 401])
  })

  it('do not take the rest of an unread body for a request', async () => {
    const hidden = 'GET /v1/hidden HTTP/1.1\r\nhost: x\r\n\r\n'
    const spoken = await speak(
      url(),
      `POST /v1/search HTTP/1.1\r\nhost: x\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}${get}${close}\r\n`,
    )
    expect(spoken.statuses).toEqual([401, 401])
    const long = await speak(url(), `POST /v1/search HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n${hidden}`, {
      withinMs: 3_000,
    })
    expect(long.statuses).toEqual([401])
  })
})

describe('B22: five hundred slow clients', () => {
  it('are sent away in time, in their headers and in their bodies, and disturb nobody', {
    timeout: 60_000,
  }, async () => {
    const slow = 250
    const head = `POST /v1/namespaces/${scene.text.namespace_name}/documents HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${key()}`
    const from = performance.now()
    const ends: Promise<{ readonly text: string; readonly ms: number }>[] = []
    const sockets: Socket[] = []
    const open = (first: string) => {
      const socket = socketOf(url())
      sockets.push(socket)
      let text = ''
      ends.push(
        new Promise((resolve) => {
          socket
            .setEncoding('latin1')
            .on('data', (more: string) => (text += more))
            .on('error', () => undefined)
            .on('close', () => resolve({ text, ms: performance.now() - from }))
        }),
      )
      socket.write(first)
    }
    for (let turn = 0; turn < slow; turn += 1) {
      open('G')
      open(`${head}content-length: 1000\r\n\r\n{`)
    }
    // Sends one byte every ten seconds from now on.
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('E')
    }, 10_000)
    const times: number[] = []
    try {
      const allEnded = Promise.all(ends)
      let over = false
      allEnded.then(
        () => (over = true),
        () => undefined,
      )
      await eventually(
        async () => {
          times.push((await scene.api.call(operations.listNamespaces, {}, 200)).ms)
          return over
        },
        (yes) => yes,
        { withinMs: 25_000, everyMs: 50 },
      )
      const ended = await allEnded
      expect(Math.max(...ended.map(({ ms }) => ms))).toBeLessThan(17_000)
      const statuses = ended.map(({ text }) => /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
      expect(statuses.filter((_, turn) => turn % 2 === 0).every((status) => status === '408')).toBe(true)
      expect(statuses.filter((_, turn) => turn % 2 === 1).every((status) => status === '400')).toBe(true)
    } finally {
      clearInterval(drip)
      for (const socket of sockets) socket.destroy()
    }
    const sorted = times.toSorted((a, b) => a - b)
    expect(sorted.length).toBeGreaterThan(100)
    expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(250)
  })

  it('may go away in the middle of a body without a trace', async () => {
    const head = `POST /v1/namespaces/${scene.text.namespace_name}/documents HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${key()}`
    for (let turn = 0; turn < 200; turn += 1) {
      const socket = socketOf(url()).on('error', () => undefined)
      socket.end(`${head}content-length: 1000\r\n\r\n{"documents":[{"id":"cut"`)
      socket.destroySoon()
    }
    await scene.api.call(operations.getDocuments, { params: scene.text, body: { ids: ['cut'] } }, 207)
  })
})

describe('B32: headers that claim to know better', () => {
  const claims = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.7',
    'x-real-ip': '203.0.113.7',
    forwarded: 'for=203.0.113.7;host=evil.example;proto=https',
    'x-original-url': '/admin/v1/accounts',
    'x-rewrite-url': '/admin/v1/accounts',
    'x-http-method-override': 'DELETE',
  }

  it('change no answer and appear in none', async () => {
    const headers = { ...claims, 'x-api-key': scene.member.apiKey }
    const calls = [
      [operations.listNamespaces, '/v1/namespaces'],
      [operations.fetchTextData, `/v1/namespaces/${scene.text.namespace_name}/documents/fetch-text-data`],
      [operations.getOpenApi, '/openapi.json'],
      [operations.getDocs, '/docs'],
    ] as const
    for (const [operation, path] of calls) {
      const claimed = await httpCall(url(), { path, headers })
      const plain = await httpCall(url(), { path, headers: { 'x-api-key': scene.member.apiKey } })
      const timeless = (text: string) => text.replace(/"execution_time":[\d.]+/, '')
      checkAnswer(operation, claimed)
      expect(claimed.status).toBe(200)
      expect(timeless(claimed.text)).toBe(timeless(plain.text))
      expect(JSON.stringify([...claimed.headers])).not.toMatch(/evil|203\.0\.113/)
    }
    const missing = await httpCall(url(), { path: '/v1/nothing', headers })
    expect([missing.status, missing.text]).toEqual([404, expect.not.stringContaining('evil')])
  })

  it('give nobody another plan', async () => {
    const { apiKey } = await scene.story.member({ tier: 'community' })
    const left: string[] = []
    for (const from of ['203.0.113.7', '203.0.113.8', '203.0.113.9']) {
      const answer = await httpCall(url(), {
        path: '/v1/namespaces',
        headers: { ...claims, 'x-forwarded-for': from, 'x-api-key': apiKey },
      })
      left.push(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? '')
    }
    expect(left).toEqual(['99999', '99998', '99997'])
  })
})
