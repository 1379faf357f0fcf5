import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type SentSpan, spansOf, type TraceRequest } from './otlp-spans.ts'

/** Starts a receiver of OTLP's JSON form, as in a collector. `onRequest` is called for each request. */
export const otlpReceiver = async (
  options: { readonly port?: number; readonly onRequest?: (request: TraceRequest) => void } = {},
) => {
  const spans: SentSpan[] = []
  const server = createServer(async (request, response) => {
    try {
      const isTraces =
        request.method === 'POST' &&
        request.url === '/v1/traces' &&
        request.headers['content-type'] === 'application/json'
      if (!isTraces) return void response.writeHead(415).end()
      const sent = (await json(request)) as TraceRequest
      options.onRequest?.(sent)
      spans.push(...spansOf(sent))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    } catch {
      // Invalid or truncated JSON.
      response.writeHead(400).end()
    }
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
