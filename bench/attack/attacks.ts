import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { requestBytes } from '../harness/upload-request.ts'

export type Target = {
  readonly port: number
  /** API key of the attacking account. */
  readonly apiKey: string
  readonly namespace: string
}

/**
 * Maximum duration of an attack in milliseconds; connections that are still open are closed a second later. Each attack
 * limits its connections and their bytes.
 */
const lastsMs = 8_000
const megabyte = 1024 * 1024

const dial = async ({ port }: Target): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}
export const withSockets = async (
  target: Target,
  count: number,
  use: (socket: Socket, index: number) => Promise<unknown> | unknown,
) => {
  const sockets = await Promise.all(Array.from({ length: count }, () => dial(target)))
  const working = Promise.allSettled(sockets.map(async (socket, index) => use(socket, index)))
  await Promise.race([working, pause(lastsMs)])
  const left = sockets.some((socket) => !socket.destroyed)
  if (left) await pause(1_000)
  for (const socket of sockets) socket.destroy()
}
const unread = (socket: Socket, bytes: Buffer | string) => {
  socket.pause().write(bytes)
  return pause(lastsMs)
}
export const post = (target: Target, path: string, body: string): Buffer => {
  const head = requestBytes('POST', path, { 'x-api-key': target.apiKey }, undefined).toString()
  return Buffer.from(head.replace('content-length: 0', `content-length: ${Buffer.byteLength(body)}`) + body)
}
/** Sends a request; resolves when it is answered or when the connection closes. */
const sent = (socket: Socket, bytes: Buffer) =>
  new Promise<void>((resolve) => {
    const end = () => {
      socket.off('data', end).off('close', end)
      resolve()
    }
    socket.once('data', end).once('close', end).write(bytes)
  })
export const repeated = async (socket: Socket, bytes: Buffer, times: number) => {
  for (let time = 0; time < times && !socket.destroyed; time += 1) await sent(socket, bytes)
}

const manyKeys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join()
const documents = (inside: string) => `{"documents":[{"id":"a","text":"some text here",${inside}}]}`
/** Returns a schema whose validation cost doubles with each part. */
const slowSchema = (): string => {
  const twice = (to: number) => ({ allOf: [{ $ref: `#/$defs/d${to}` }, { $ref: `#/$defs/d${to}` }] })
  const $defs = Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => [`d${index}`, index === 23 ? {} : twice(index + 1)]),
  )
  return JSON.stringify({
    namespace: '',
    query: 'what?',
    structured_response: { enabled: true, schema: { type: 'object', ...twice(0), $defs } },
  })
}

/** Attacks by name; each does what a single client can do to the service. */
export const attacks: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  nothing: async () => {
    await pause(3_000)
  },
  'pipelined metrics': (target) =>
    withSockets(target, 20, (socket) => unread(socket, 'GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2_000))),
  'pipelined pages': (target) => {
    const page = requestBytes('GET', `/v1/namespaces/${target.namespace}/documents/fetch-text-data`, {
      'x-api-key': target.apiKey,
    })
    return withSockets(target, 1, (socket) => unread(socket, page.toString().repeat(60)))
  },
  'unread pages': (target) => {
    const page = requestBytes('GET', `/v1/namespaces/${target.namespace}/documents/fetch-text-data`, {
      'x-api-key': target.apiKey,
    })
    return withSockets(target, 60, (socket) => unread(socket, page))
  },
  'slow readers': (target) => {
    const page = requestBytes('GET', `/v1/namespaces/${target.namespace}/documents/fetch-text-data`, {
      'x-api-key': target.apiKey,
    })
    return withSockets(target, 1_000, async (socket) => {
      socket.write(page)
      const until = Date.now() + lastsMs
      while (!socket.destroyed && Date.now() < until) {
        socket.read(1_024)
        await pause(100)
      }
    })
  },
  'unfinished bodies': (target) => {
    const body = post(target, `/v1/namespaces/${target.namespace}/documents`, ' '.repeat(10 * megabyte)).subarray(
      0,
      -1_000,
    )
    return withSockets(target, 60, (socket) => unread(socket, body))
  },
  'tiny chunks': (target) => {
    const head = requestBytes('POST', `/v1/namespaces/${target.namespace}/documents`, {
      'x-api-key': target.apiKey,
    }).toString()
    const chunked = head.replace('content-length: 0', 'transfer-encoding: chunked')
    return withSockets(target, 8, (socket) => unread(socket, chunked + '1\r\n \r\n'.repeat(2_000_000)))
  },
  'many keys': (target) => {
    const body = post(target, `/v1/namespaces/${target.namespace}/documents`, documents(manyKeys(800_000)))
    return withSockets(target, 8, (socket) => repeated(socket, body, 2))
  },
  'many objects': (target) => {
    const body = post(
      target,
      `/v1/namespaces/${target.namespace}/documents/get`,
      `{"ids":[${'{},'.repeat(3_400_000)}{}]}`,
    )
    return withSockets(target, 8, (socket) => repeated(socket, body, 2))
  },
  'keys as allowed': (target) => {
    const body = post(target, `/v1/namespaces/${target.namespace}/documents`, documents(manyKeys(99_000)))
    return withSockets(target, 32, (socket) => repeated(socket, body, 4))
  },
  'numbers as allowed': (target) => {
    const vector = `{"id":"a","vector":[${'0.1,'.repeat(2_500_000)}1]}`
    const body = post(target, `/v1/namespaces/${target.namespace}/vectors`, `{"vectors":[${vector}]}`)
    return withSockets(target, 8, (socket) => repeated(socket, body, 3))
  },
  'addresses hoarded': (target) => {
    const path = `/v1/namespaces/${target.namespace}/upload-url`
    return withSockets(target, 16, async (socket, index) => {
      for (let turn = 0; turn < 100 && !socket.destroyed; turn += 1)
        await sent(socket, post(target, path, `{"file_name":"hoard-${index}-${turn}.txt"}`))
    })
  },
  /** Does nothing if objects are uploaded to a server other than the gateway. */
  'slow puts': async (target) => {
    const answer = await fetch(`http://127.0.0.1:${target.port}/v1/namespaces/${target.namespace}/upload-url`, {
      method: 'POST',
      headers: { 'x-api-key': target.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ file_name: 'slow.txt' }),
    })
    const { upload_url } = (await answer.json()) as { readonly upload_url: string }
    const { port, pathname, search } = new URL(upload_url)
    if (Number(port) !== target.port) return
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 4000000\r\n\r\n`
    await withSockets(target, 1_900, (socket) =>
      unread(socket, Buffer.concat([Buffer.from(head), Buffer.alloc(256 * 1024, 'x')])),
    )
  },
  'schemas left': (target) => {
    const body = post(target, '/v1/answer', slowSchema())
    return withSockets(target, 30, async (socket) => {
      socket.write(body)
      await pause(300)
      socket.destroy()
    })
  },
}
