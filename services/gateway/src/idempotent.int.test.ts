import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { operations } from '@cairn/contracts/api/operations'
import type { GuardedRequest } from '@cairn/runtime/http/api-request'
import { createHttpServer } from '@cairn/runtime/http/http-server'
import { jsonBody } from '@cairn/runtime/http/json-body'
import { mountRoutes } from '@cairn/runtime/http/routes'
import { createLogger } from '@cairn/runtime/process/logger'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import type { Caller } from './call.ts'
import { idempotent } from './idempotent.ts'

const operation = operations.createNamespace
const isAdmin = (request: GuardedRequest<Caller>) => {
  request.caller = 'admin'
}

const setUp = async () => {
  const { clock } = createManualClock()
  const store = stepwiseStore({ now: clock.monotonic })
  const log = createLogger({ level: 'silent', name: 'test' })
  let runs = 0
  let ids = 0
  const repeatable = idempotent({
    store,
    clock,
    log,
    responseKey: new Uint8Array(32),
    ids: { next: (kind) => `${kind}_${++ids}` },
  })
  const route = repeatable({
    operation,
    handle: () => ({ status: 201, body: { run: ++runs } }),
  })
  const app = express()
  mountRoutes<Caller>(app, [{ ...route, guards: [isAdmin, jsonBody<Caller>()] }], {
    log,
    clock,
    corsOrigins: [],
    checksResponses: false,
  })
  const server = createHttpServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const post = async (body: string, key = 'a') => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/namespaces`
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const response = await fetch(url, { method: 'POST', headers, body })
    return [response.status, ((await response.json()) as { readonly run?: number }).run]
  }
  return { post }
}

it('knows a request by the bytes of its body, which are not parsed or written again for that', async () => {
  const { post } = await setUp()
  expect(await post('{ "namespace_name": "a", "n": 12345678901234567890 }')).toEqual([201, 1])
  expect(await post('{ "namespace_name": "a", "n": 12345678901234567890 }')).toEqual([201, 1])
  expect(await post('{ "namespace_name": "a", "n": 12345678901234567891 }')).toEqual([422, undefined])
  expect(await post('{"namespace_name":"a","n":12345678901234567890}')).toEqual([422, undefined])
  expect(await post('{"namespace_name":"a"}', 'b')).toEqual([201, 2])
})
