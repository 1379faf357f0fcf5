import { json } from 'node:stream/consumers'
import { startLocalServer } from './local-server.ts'
import { type SentSpan, spansOf, type TraceRequest } from './otlp-spans.ts'

/** Starts a receiver of OTLP's JSON format, like a collector's. `onRequest` is called for each request. */
export const otlpReceiver = async (
  options: { readonly port?: number; readonly onRequest?: (request: TraceRequest) => void } = {},
) => {
  const spans: SentSpan[] = []
  const { url, close } = await startLocalServer(async (request, response) => {
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
      // The JSON is invalid or truncated.
      response.writeHead(400).end()
    }
  }, options.port)
  return { url, spans, close }
}
