import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { watchRate } from './watch-rate.ts'

const rate = { firstWindowMs: 60, windowMs: 60, minBytesPerSecond: 10_000 }

/**
 * Starts a server that reads bodies with `read`, and a request of 1 MB whose body is not sent yet. `ended` resolves to
 * `whole` or `cut`.
 */
const setUp = async (read: (raw: IncomingMessage) => Promise<void>) => {
  const ended = Promise.withResolvers<string>()
  const server = createServer(async (raw, response) => {
    const watch = watchRate(raw, rate)
    await read(raw).then(
      () => ended.resolve('whole'),
      () => ended.resolve('cut'),
    )
    watch.stop()
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = httpRequest({ port, host: '127.0.0.1', method: 'PUT', headers: { 'content-length': 1_000_000 } }).on(
    'error',
    () => undefined,
  )
  onTestFinished(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { client, ended: ended.promise }
}

/** Reads the body as the store does. */
const iterate = async (raw: IncomingMessage, delayMs = 0) => {
  for await (const _ of raw.iterator({ destroyOnReturn: false })) if (delayMs > 0) await pause(delayMs)
}

it('cuts a body off that comes more slowly than the rate, however it is read', async () => {
  const { client, ended } = await setUp(iterate)
  const drip = setInterval(() => client.write('x'), 20)
  expect(await ended).toBe('cut')
  clearInterval(drip)
})

it('lets a body be whose reader is the slow one', async () => {
  let chunks = 0
  const { client, ended } = await setUp((raw) => iterate(raw, chunks++ === 0 ? 30 : 0))
  client.end(Buffer.alloc(1_000_000))
  expect(await ended).toBe('whole')
})
