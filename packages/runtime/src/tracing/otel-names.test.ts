import { s3SpanOf } from '@cairn/adapters/file-store/s3/spans'
import { AppError } from '@cairn/contracts/errors'
import { uploadAccepted } from '@cairn/contracts/events'
import type { Answerer } from '@cairn/domain/ports/answerer'
import type { Embedder, Embedders } from '@cairn/domain/ports/embedder'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import * as conventions from '@opentelemetry/semantic-conventions'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { expect, it, onTestFinished } from 'vitest'
import { collectedSpans } from './collected-spans.fixture.ts'
import { noTracing, type Tracing } from './tracing.ts'
import { createPortWatch } from './watch-ports.ts'

const model = { provider: 'openai', model: 'text-embedding-3-small', dimension: 1_536 } as const
const outage = new AppError('unavailable', 'the engine is away')

const openPorts = (tracing: Tracing) => {
  const failures: string[] = []
  const watch = createPortWatch({ tracing, onFailure: (store, reason) => failures.push(`${store} ${reason}`) })
  const embedder = {
    model,
    embed: async () => [new Float32Array(3)],
    status: () => ({ state: 'ready' }),
  } as unknown as Embedder
  let asked = 0
  const store = watch.metadata({
    system: 'mongodb',
    now: async () => (asked += 1),
    accept: async () => ({ outcome: 'accepted' }),
    items: {
      get: async () => [{}, {}],
      page: () => Promise.reject(outage),
      pageWithoutBodies: () => Promise.reject(new AppError('invalid', 'so not')),
    },
  } as unknown as Store)
  const published: unknown[] = []
  let deliver: ((message: object) => Promise<void>) | undefined
  const bus = watch.bus({
    system: 'kafka',
    publish: async (_topic: string, messages: readonly object[]) => void published.push(...messages),
    subscribe: (_from: object, handle: (message: object) => Promise<void>) => {
      deliver = handle
      return { close: async () => undefined }
    },
  } as unknown as MessageBus)
  return {
    failures,
    store,
    bus,
    published,
    deliver: (message: object) => deliver?.(message),
    asked: () => asked,
    vectors: watch.vectors({ system: 'qdrant', upsert: async () => undefined } as unknown as VectorIndex),
    files: watch.files({
      spanOf: s3SpanOf,
      put: () => Promise.reject(new Error('broken pipe')),
      signPut: async () => ({}),
    } as unknown as FileStore),
    embedders: watch.embedders({ current: () => embedder, of: () => undefined } as unknown as Embedders),
    answerer: watch.answerer({
      write: async function* () {
        yield 'a piece'
        throw outage
      },
    } as unknown as Answerer),
  }
}

const message = {
  id: 'msg_1',
  type: 'upload.accepted',
  key: 'up_1',
  correlationId: 'req_1',
  occurredAt: '2026-01-01T00:00:00Z',
  data: {},
}

const use = async (ports: ReturnType<typeof openPorts>, tracing: Tracing) => {
  const { store, vectors, files, embedders, answerer, bus } = ports
  const refused = (call: Promise<unknown>) => call.then(undefined, (error: unknown) => error)
  bus.subscribe(
    { topic: uploadAccepted.topic, group: 'ingestion' },
    async () => void (await store.items.get('ns', ['a', 'b'])),
  )
  const seen = await tracing.within({ name: 'call', kind: 'server' }, async () => {
    await store.now()
    await store.accept({} as Parameters<Store['accept']>[0])
    await store.items.get('ns', ['a', 'b'])
    await vectors.upsert({ key: 's', dimension: 3 }, [])
    await embedders.current().embed(['a', 'b', 'c'], { kind: 'query' })
    await bus.publish(uploadAccepted.topic, [message])
    const pieces = async () => {
      for await (const piece of answerer.write({ model: 'gpt-oss' } as Parameters<Answerer['write']>[0], {
        signal: new AbortController().signal,
      }))
        expect(piece).toBe('a piece')
    }
    return [
      await refused(store.items.page('ns', { limit: 1 })),
      await refused(store.items.pageWithoutBodies('ns', { limit: 1 })),
      await refused(files.put('a/b', Buffer.of(), { contentType: 'text/plain' })),
      await refused(pieces()),
    ]
  })
  for (const sent of ports.published) await ports.deliver(sent as object)
  return seen.map((error) => (error as Error).message)
}

it('names what it tells as the conventions do, or with a name of our own', async () => {
  const { tracing, spans } = collectedSpans()
  onTestFinished(() => tracing.close())
  const ports = openPorts(tracing)
  await use(ports, tracing)
  await tracing.close()
  const known = new Set<unknown>([conventions, incubating].flatMap((names: object) => Object.values(names)))
  const names = [...new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)))]
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !known.has(name) && !name.startsWith('cairn.'))).toEqual([])
  const told = spans.map(({ name, kind, attributes, status }) => ({
    name,
    kind,
    attributes,
    failed: status.code === 2,
  }))
  expect(told).toEqual([
    {
      name: 'accept metadata',
      kind: 2,
      attributes: { 'db.system.name': 'mongodb', 'db.operation.name': 'accept' },
      failed: false,
    },
    {
      name: 'get items',
      kind: 2,
      attributes: {
        'db.system.name': 'mongodb',
        'db.operation.name': 'get',
        'db.collection.name': 'items',
        'db.operation.batch.size': 2,
        'db.response.returned_rows': 2,
      },
      failed: false,
    },
    {
      name: 'upsert points',
      kind: 2,
      attributes: {
        'db.system.name': 'qdrant',
        'db.operation.name': 'upsert',
        'db.collection.name': 'points',
        'db.operation.batch.size': 0,
      },
      failed: false,
    },
    {
      name: 'embeddings text-embedding-3-small',
      kind: 2,
      attributes: {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'text-embedding-3-small',
        'gen_ai.embeddings.dimension.count': 1_536,
        'cairn.texts': 3,
      },
      failed: false,
    },
    {
      name: 'send cairn.uploads',
      kind: 3,
      attributes: {
        'messaging.system': 'kafka',
        'messaging.destination.name': 'cairn.uploads',
        'messaging.operation.type': 'send',
        'messaging.operation.name': 'send',
      },
      failed: false,
    },
    expect.objectContaining({
      name: 'page items',
      failed: true,
      attributes: expect.objectContaining({ 'error.type': 'unavailable' }),
    }),
    expect.objectContaining({
      name: 'pageWithoutBodies items',
      failed: true,
      attributes: expect.objectContaining({ 'error.type': 'invalid' }),
    }),
    {
      name: 'put object',
      kind: 2,
      attributes: { 'rpc.system.name': 'aws-api', 'rpc.method': 'S3/PutObject', 'error.type': 'Error' },
      failed: true,
    },
    expect.objectContaining({ name: 'chat gpt-oss', failed: true }),
    expect.objectContaining({ name: 'call' }),
    expect.objectContaining({ name: 'get items' }),
    {
      name: 'process cairn.uploads',
      kind: 4,
      attributes: {
        'messaging.system': 'kafka',
        'messaging.destination.name': 'cairn.uploads',
        'messaging.operation.type': 'process',
        'messaging.operation.name': 'process',
        'messaging.consumer.group.name': 'ingestion',
      },
      failed: false,
    },
  ])
})

it.each(['on', 'off'])(
  'changes nothing about the calls, and counts what engines failed, when traces are %s',
  async (state) => {
    const tracing = state === 'on' ? collectedSpans().tracing : noTracing
    onTestFinished(() => tracing.close())
    const ports = openPorts(tracing)
    expect(await use(ports, tracing)).toEqual(['the engine is away', 'so not', 'broken pipe', 'the engine is away'])
    expect(ports.failures).toEqual(['metadata unavailable', 'files internal', 'answerer unavailable'])
    expect(ports.asked()).toBe(1)
    expect(ports.published).toEqual([
      state === 'off' ? message : { ...message, traceparent: expect.stringMatching(/^00-.*-01$/) },
    ])
    expect(ports.embedders.current()).toBe(ports.embedders.current())
  },
)

it('makes no traces of what is done by the clock', async () => {
  const { tracing, spans } = collectedSpans()
  const { store, bus, published } = openPorts(tracing)
  await store.items.get('ns', ['a'])
  await bus.publish(uploadAccepted.topic, [message])
  await tracing.close()
  expect(spans).toEqual([])
  expect(published).toEqual([message])
})
