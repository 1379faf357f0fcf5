import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { HttpResponse, ServerSentEvent } from './api-request.ts'

/** Comments, which clients ignore, keep proxies from closing the connection. */
const beatMs = 15_000

const frame = ({ id, event, data }: ServerSentEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Sends events no faster than the client reads. Closes the source when the client disconnects or stalls. */
export const sendEvents = async (
  response: ServerResponse,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  events: AsyncIterable<ServerSentEvent>,
): Promise<void> => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  response.setHeader('content-type', 'text/event-stream; charset=utf-8')
  // Proxies must not buffer.
  response.setHeader('x-accel-buffering', 'no')
  if (response.req.method === 'HEAD') return void response.end()
  response.flushHeaders()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const beat = setInterval(() => response.writableNeedDrain || response.write(': still at work\n\n'), beatMs)
  try {
    for await (const event of events) {
      if (gone.signal.aborted) return
      if (response.write(frame(event))) continue
      // The server disconnects a client that reads too little.
      await once(response, 'drain', { signal: gone.signal }).catch(() => undefined)
    }
    response.end()
  } finally {
    clearInterval(beat)
  }
}
