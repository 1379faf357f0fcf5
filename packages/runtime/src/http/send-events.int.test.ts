import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { ServerSentEvent } from './api-request.ts'
import { sendEvents } from './send-events.ts'

const serve = async (events: () => AsyncGenerator<ServerSentEvent>, method = 'GET') => {
  const ended = Promise.withResolvers<void>()
  const server = createServer(
    (_, response) =>
      void sendEvents(response, { status: 200, headers: { 'x-test': 'yes' } }, events()).then(
        ended.resolve,
        ended.reject,
      ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const request = send({ method, port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { response, ended: ended.promise }
}

it('sends each event when it comes', async () => {
  const go = Promise.withResolvers<void>()
  const { response, ended } = await serve(async function* () {
    yield { event: 'meta', data: { text: 'two\nlines' } }
    await go.promise
    yield { event: 'done', data: null }
  })
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'x-test': 'yes' })
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(first.toString()).toBe('event: meta\ndata: {"text":"two\\nlines"}\n\n')
  go.resolve()
  const [last] = (await once(response, 'data')) as [Buffer]
  expect(last.toString()).toBe('event: done\ndata: null\n\n')
  await ended
})

it('goes no faster than the events are taken, and ends with the client', async () => {
  let made = 0
  let isOver = false
  const { response, ended } = await serve(async function* () {
    try {
      for (;;) {
        made += 1
        yield { event: 'token', data: 'x'.repeat(100_000) }
      }
    } finally {
      isOver = true
    }
  })
  response.pause()
  let before = -1
  // Events are produced until the buffers of both sockets are full.
  while (before !== made) {
    before = made
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(made).toBeLessThan(500)
  response.destroy()
  await ended
  expect(isOver).toBe(true)
})

it('answers HEAD with the headers, and asks for no event', async () => {
  let isAsked = false
  const { response, ended } = await serve(async function* () {
    isAsked = true
    yield { event: 'token', data: 'x' }
    await new Promise(() => undefined)
  }, 'HEAD')
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  await ended
  expect(isAsked).toBe(false)
}, 5_000)
