import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PointAddress } from '@cairn/domain/ports/vector-index'
import { expect, it, onTestFinished } from 'vitest'
import { connectQdrant } from './client.ts'
import { missingPoints } from './missing.ts'
import { pointIdOf } from './points.ts'

type Retrieval = { readonly ids: readonly string[]; readonly with_payload: unknown; readonly with_vector: unknown }

/** Starts a fake Qdrant server that has the points for which `has` returns true. It returns them in reverse order. */
const startQdrant = async (has: (id: string) => boolean) => {
  const asked: (Retrieval & { readonly request: string })[] = []
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Retrieval
    asked.push({ request: `${message.method} ${message.url}`, ...body })
    const result = body.ids.filter(has).map((id) => ({ id }))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ result: result.reverse(), status: 'ok' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, qdrant: connectQdrant({ url, timeoutMs: 5_000 }) }
}

it('requests the ids of addresses, 1,000 at a time, without payloads or vectors', async () => {
  const addresses = Array.from(
    { length: 2_300 },
    (_, i): PointAddress => ({ namespaceId: 'ns', itemId: `${i}`, version: 'v', passage: i % 3 }),
  )
  const absent = addresses.filter((_, i) => i % 7 === 0)
  const gone = new Set(absent.map(pointIdOf))
  const { asked, qdrant } = await startQdrant((id) => !gone.has(id))
  expect(await missingPoints(qdrant, 'c', addresses)).toEqual(absent)
  expect(
    asked.map(({ request, ids, with_payload, with_vector }) => [request, ids.length, with_payload, with_vector]),
  ).toEqual([
    ['POST /collections/c/points', 1_000, false, false],
    ['POST /collections/c/points', 1_000, false, false],
    ['POST /collections/c/points', 300, false, false],
  ])
  expect(asked.flatMap(({ ids }) => ids)).toEqual(addresses.map(pointIdOf))
})
