import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendMcpMessage } from '@cairn/contracts/http/mcp'
import { limits } from '@cairn/contracts/limits'
import type { ApiRequest, GuardedRequest } from '@cairn/runtime/http/api-request'
import { createHttpServer } from '@cairn/runtime/http/http-server'
import { jsonBody } from '@cairn/runtime/http/json-body'
import { mountRoutes } from '@cairn/runtime/http/routes'
import { createLogger } from '@cairn/runtime/process/logger'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import type { Caller } from '../call.ts'
import { mcpEndpoint } from './mcp-endpoint.ts'

it('refuses a message of many keys before it is checked, and takes the largest filter', async () => {
  const checked: unknown[] = []
  const app = express()
  const isAdmin = (request: GuardedRequest<Caller>) => {
    request.caller = 'admin'
  }
  const handle = ({ sentBody }: ApiRequest<Caller>) => {
    checked.push(sentBody)
    return { status: 202 }
  }
  const log = createLogger({ level: 'silent', name: 'test' })
  const { clock } = createManualClock()
  mountRoutes<Caller>(app, [{ operation: sendMcpMessage, guards: [isAdmin, jsonBody<Caller>()], handle }], {
    log,
    clock,
    corsOrigins: [],
  })
  const server = createHttpServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const send = async (sent: object) => {
    const params = { name: 'search', arguments: sent }
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    return [response.status, await response.text()]
  }
  const many = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`key${index}`, index]))
  expect(await send(many)).toEqual([400, expect.stringContaining('at most 1,000 keys (given: 90,006)')])
  expect(checked).toEqual([])
  const values = Array.from({ length: limits.filterValues }, (_, index) => index)
  const conditions = Array.from({ length: limits.filterConditions }, () => ({ key: 'year', in: values }))
  expect(await send({ query: 'x', filter: { or: conditions } })).toEqual([202, ''])
  expect(checked).toHaveLength(1)
})

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
