import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendMcpMessage } from '@cairn/contracts/http/mcp'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { expect, it, onTestFinished } from 'vitest'
import type { Caller } from '../call.ts'
import { mcpEndpoint } from './mcp-endpoint.ts'

it('ends the requests of a tool when its caller has gone', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const left = new AbortController()
  const request = guardedRequest<Caller>(sendMcpMessage, { 'x-api-key': 'key' })
  Object.assign(request.raw.headers, {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const answered = mcpEndpoint({ mcp: 'read', ownUrl: () => `http://127.0.0.1:${port}`, corsOrigins: [] }).handle({
    ...request,
    params: {},
    caller: 'admin',
    signal: left.signal,
    sentBody: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_namespaces', arguments: {} } },
  })
  const [, response] = await once(silent, 'request', { signal: AbortSignal.timeout(10_000) })
  const closed = once(response, 'close')
  left.abort()
  await closed
  expect(await answered).toMatchObject({ status: 200, body: expect.stringContaining('"isError":true') })
})
