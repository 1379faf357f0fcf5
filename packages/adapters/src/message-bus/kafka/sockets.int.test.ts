import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { kafkaSockets } from './sockets.ts'

it('allows kafkajs to destroy a closed socket repeatedly', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = kafkaSockets({ host: '127.0.0.1', port, ssl: undefined as never, onConnect: () => undefined })
  await once(socket, 'close')
  for (let request = 0; request < 20; request += 1) {
    socket.end()
    socket.unref()
  }
  expect(socket.listenerCount('connect')).toBe(0)
})

it('destroys an open socket at once', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = kafkaSockets({ host: '127.0.0.1', port, ssl: undefined as never, onConnect: () => undefined })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const held = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const before = held()
  socket.unref()
  expect(held()).toBe(before - 1)
})
