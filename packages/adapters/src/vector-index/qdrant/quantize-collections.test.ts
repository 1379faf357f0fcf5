import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { qdrantVectorIndex } from '../qdrant.ts'
import { quantizeCollections } from './quantize-collections.ts'

type Config = { quantization_config?: unknown }
type Asked = { readonly request: string; readonly body: Record<string, unknown> }

const fields = ['namespace_id', 'item_id', 'item_version', 'terms', 'words']
const schema = {
  ...Object.fromEntries(fields.map((field) => [field, { data_type: 'keyword' }])),
  order: { data_type: 'integer' },
  lexemes: { data_type: 'integer' },
  'fields[].k': { data_type: 'keyword' },
  'fields[].t': { data_type: 'keyword' },
  'fields[].n': { data_type: 'float' },
  'fields[].d': { data_type: 'float' },
}

/** Starts a fake Qdrant server whose collections have only settings. */
const startQdrant = async (collections: Map<string, Config>) => {
  const asked: Asked[] = []
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const [, , name = '', action] = message.url?.split('?')[0]?.split('/') ?? []
    const isChange = message.method === 'PUT' || message.method === 'PATCH'
    asked.push({ request: `${message.method} ${message.url}`, body })
    if (isChange && name !== '') {
      const { quantization_config } = body as Config
      collections.set(name, quantization_config === 'Disabled' ? {} : { quantization_config })
    }
    const params = { vectors: { size: 2, distance: 'Cosine' }, sparse_vectors: { lexemes: {} } }
    const config = { params, ...collections.get(name) }
    const known =
      name === ''
        ? { collections: [...collections.keys()].map((one) => ({ name: one })) }
        : { config, payload_schema: schema }
    const result = action
      ? 'searches' in body
        ? (body as { searches: unknown[] }).searches.map(() => ({ points: [] }))
        : { points: [] }
      : isChange
        ? true
        : known
    const found = name === '' || collections.has(name)
    const answer = found ? { result, status: 'ok' } : { status: { error: 'Not found' } }
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const space = { key: 'vector-2', dimension: 2 }
const int8 = { scalar: { type: 'int8', always_ram: true } }

it('compares the full vectors of the points that a quantized collection has found', async () => {
  const { url, asked } = await startQdrant(new Map([['cairn-vector-2', {}]]))
  const index = qdrantVectorIndex({ url })
  onTestFinished(() => index.close())
  for (const namespaceIds of [['a'], ['a', 'b']])
    await index.search(space, { namespaceIds, vector: Float32Array.of(1, 0), limit: 10 })
  const params = { hnsw_ef: 256, quantization: { rescore: true, oversampling: 2 } }
  expect(asked.filter(({ request }) => request.endsWith('/points/query')).map(({ body }) => body['params'])).toEqual([
    params,
  ])
  const [batch] = asked.filter(({ request }) => request.endsWith('/points/query/batch'))
  expect(batch?.body['searches']).toMatchObject([{ params }, { params }])
})

it('creates quantized collections only if configured', async () => {
  const collections = new Map<string, Config>()
  const { url } = await startQdrant(collections)
  for (const [prefix, quantization] of [
    ['one-', 'int8'],
    ['other-', 'none'],
  ] as const) {
    const index = qdrantVectorIndex({ url, prefix, quantization })
    onTestFinished(() => index.close())
    await index.ensure(space)
  }
  expect(collections).toEqual(
    new Map([
      ['one-vector-2', { quantization_config: int8 }],
      ['other-vector-2', {}],
    ]),
  )
})

it('changes only the collections of the prefix that differ', async () => {
  const collections = new Map<string, Config>([
    ['cairn-a', {}],
    ['cairn-b', { quantization_config: int8 }],
    ['foreign', {}],
  ])
  const { url } = await startQdrant(collections)
  const options = { url, timeoutMs: 1_000, prefix: 'cairn-' }
  expect(await quantizeCollections({ ...options, quantization: 'int8' })).toEqual(['cairn-a'])
  expect(await quantizeCollections({ ...options, quantization: 'int8' })).toEqual([])
  expect(await quantizeCollections({ ...options, quantization: 'none' })).toEqual(['cairn-a', 'cairn-b'])
  expect(collections).toEqual(
    new Map([
      ['cairn-a', {}],
      ['cairn-b', {}],
      ['foreign', {}],
    ]),
  )
})
