import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { operations } from '@cairn/contracts/api/operations'
import { otlpReceiver } from '@cairn/testing/otlp-receiver'
import type { SentSpan } from '@cairn/testing/otlp-spans'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../client.ts'
import { startClusterTarget } from '../cluster-target.ts'
import { describeOn } from '../describe-on.ts'
import { createNamespace, index } from '../story.ts'
import { type Standalone, startStandalone, type Target } from '../target.ts'

const isCluster = process.env['E2E_TARGET'] === 'cluster'
const text = 'Cairns are piles of stones that mark a path. '
const documents = [{ id: 'one', text }]

const standalone = async (env: Readonly<Record<string, string>>): Promise<Standalone> => {
  const target = await startStandalone({ env })
  onTestFinished(target.stop)
  return target
}

const clientOf = ({ url, apiKey }: Target) => createClient(url, { 'x-api-key': apiKey })

/** Returns all spans of the trace that contains a span of this name. */
const traceWith = (spans: readonly SentSpan[], name: string): SentSpan[] => {
  const found = spans.find((span) => span.name === name)
  return spans.filter(({ traceId }) => traceId === found?.traceId)
}
const servicesOf = (spans: readonly SentSpan[]) => [...new Set(spans.map(({ service }) => service))].sort()
/** Returns the spans whose parent is not among the sent spans. */
const orphans = (spans: readonly SentSpan[]) =>
  spans.filter(({ parentSpanId }) => parentSpanId !== '' && !spans.some(({ spanId }) => spanId === parentSpanId))

const uploadFile = 'POST /v1/namespaces/{namespace_name}/upload-file'
const deleteNamespace = 'DELETE /v1/namespaces/{namespace_name}'

describeOn(['standalone', 'cluster'], 'traces', () => {
  it('are one for each file, namespace and deletion, over all services that take part', async () => {
    const receiver = await otlpReceiver()
    onTestFinished(receiver.close)
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
    const target = isCluster ? await startClusterTarget({ env }) : await startStandalone({ env })
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await target.stop()
      isStopped = true
    }
    onTestFinished(stop)
    const api = clientOf(target)
    const name = await createNamespace(api)
    await index(api, name, documents)
    await api.sdk.files.upload(name, new Blob([text.repeat(400)]), { name: 'guide.txt' })
    expect((await api.sdk.waitFor.file(name, 'guide.txt', { timeoutMs: 60_000 })).state).toBe('completed')
    await api.sdk.namespaces.delete(name)
    const sent = () => receiver.spans.map((span) => span.name)
    await expect.poll(sent, { timeout: 60_000, interval: 200 }).toContain('job deletion')
    // A process sends the remaining spans when it stops.
    await stop()
    const { spans } = receiver
    const ours = (...services: readonly string[]) =>
      isCluster ? services.map((service) => `cairn-${service}`).sort() : ['cairn-standalone']

    const file = traceWith(spans, uploadFile)
    expect(servicesOf(file)).toEqual(ours('gateway', 'file-pipeline', 'ingestion'))
    expect(orphans(file)).toEqual([])
    expect(file.map((span) => span.name)).toEqual(
      expect.arrayContaining([
        'put object',
        'send cairn.files',
        'job file-pipeline',
        'extract',
        'send cairn.uploads',
        'job ingestion',
        'upsert points',
        'publish files',
      ]),
    )
    const deletion = traceWith(spans, deleteNamespace)
    expect(servicesOf(deletion)).toEqual(ours('gateway', 'deletion'))
    expect(orphans(deletion)).toEqual([])
    const created = traceWith(spans, 'POST /v1/namespaces')
    expect(servicesOf(created)).toEqual(ours('gateway', 'namespace'))
    const uploaded = traceWith(spans, 'POST /v1/namespaces/{namespace_name}/documents')
    expect(servicesOf(uploaded)).toEqual(ours('gateway', 'ingestion'))
    expect(uploaded.filter(({ parentSpanId }) => parentSpanId === '')).toHaveLength(1)
    expect(spans.filter(({ failed }) => failed)).toEqual([])
  })
})

/** Reports which OpenTelemetry modules are loaded. */
const watchLoading = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ resolve: (specifier, context, next) => {
    if (specifier.startsWith('@opentelemetry/')) process.stderr.write('loads ' + specifier + '\\n')
    return next(specifier, context)
  } })
`)}`

const listening = async (server: Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describeOn(['standalone'], 'a process', () => {
  it('loads nothing of OpenTelemetry while no address is set', async () => {
    const NODE_OPTIONS = `--import="${watchLoading}"`
    const off = await standalone({ NODE_OPTIONS })
    await index(clientOf(off), await createNamespace(clientOf(off)), documents)
    // Only OpenTelemetry's API package may be loaded, because the metrics library depends on it.
    expect(off.logs().match(/loads @opentelemetry\/(?!api\b).*/g)).toBeNull()
    const on = await standalone({ NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    expect(on.logs()).toContain('loads @opentelemetry/sdk-trace')
  })

  it.each([
    ['is away', async () => 'http://127.0.0.1:9'],
    [
      'takes connections and never answers',
      async () => {
        const server = createServer((socket) => void socket.on('error', () => undefined).resume())
        onTestFinished(() => void server.close())
        return `http://127.0.0.1:${await listening(server)}`
      },
    ],
  ])('works as ever, and ends in order, when the collector %s', async (_case, address) => {
    const target = await standalone({
      OTEL_EXPORTER_OTLP_ENDPOINT: await address(),
      OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    })
    const api = clientOf(target)
    const name = await createNamespace(api)
    await index(api, name, documents)
    await expect.poll(target.logs, { timeout: 20_000, interval: 50 }).toContain('trace export failed')
    for (let call = 0; call < 20; call += 1) await api.call(operations.listNamespaces, {}, 200)
    const from = performance.now()
    expect(await target.end()).toBe(0)
    expect(performance.now() - from).toBeLessThan(5_000)
    expect(target.logs().split('trace export failed')).toHaveLength(2)
  })

  it('sends protobuf by default', async () => {
    const received: {
      readonly url: string | undefined
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
    }[] = []
    const server = createHttpServer(async (request, response) => {
      received.push({ url: request.url, headers: request.headers, body: await buffer(request) })
      response.end()
    })
    onTestFinished(() => void server.close())
    const target = await standalone({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${await listening(server)}/own/path`,
    })
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const api = clientOf(target).with({ traceparent: `00-${trace}-00f067aa0ba902b7-01` })
    await api.call(operations.listNamespaces, {}, 200)
    expect(await target.end()).toBe(0)
    expect(received.map(({ url, headers }) => [url, headers['content-type']])).toEqual([
      ['/own/path', 'application/x-protobuf'],
    ])
    expect(received[0]?.body.includes(Buffer.from(trace, 'hex'))).toBe(true)
  })
})
