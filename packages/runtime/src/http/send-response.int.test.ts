import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createHttpServer } from './http-server.ts'
import { sendResponse } from './send-response.ts'

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections()
})

/** More than the socket buffers at both ends hold. */
const large = 'x'.repeat(16 * 1024 * 1024)

const open = async (body: string, drainWindowMs: number) => {
  const closed: boolean[] = []
  const handle: RequestListener = (raw, response) => {
    response.once('close', () => closed.push(response.writableFinished))
    sendResponse(raw, response, { status: 200, body })
  }
  const server = createHttpServer(handle, { drainWindowMs, checkEveryMs: 20 })
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return { socket, closed }
}

it('ends the connection of a client that does not take its answer', async () => {
  const { socket, closed } = await open(large, 50)
  socket.pause()
  await expect.poll(() => closed).toEqual([false])
  socket.destroy()
})

it('waits for a client that takes its answer, and keeps its connection', async () => {
  const { socket, closed } = await open(large, 2_000)
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  await expect.poll(() => bytes).toBeGreaterThan(large.length)
  expect(closed).toEqual([true])
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

it('ends the connection of a client that takes a little of its answer now and then', async () => {
  const { socket, closed } = await open(large, 100)
  const trickle = setInterval(() => socket.read(1), 10)
  socket.on('readable', () => undefined)
  await expect.poll(() => closed).toEqual([false])
  clearInterval(trickle)
  socket.destroy()
})
