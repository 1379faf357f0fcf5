import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '../process/logger.ts'
import type { HttpResponse } from './api-request.ts'

/**
 * Sends the bytes of a stream, no faster than the client reads. If the stream fails, the connection is closed before the
 * announced length, so that the client does not take the part for the whole.
 */
export const sendStream = async (
  response: ServerResponse,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  stream: Readable,
  log: Pick<Logger, 'warn'>,
): Promise<void> => {
  if (response.destroyed) return void stream.destroy()
  response.statusCode = status
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  // A response to HEAD has no body.
  if (response.req.method === 'HEAD') {
    stream.destroy()
    return void response.end()
  }
  // `pipeline` adds several listeners to those of the server; without this, Node would warn of a leak.
  response.setMaxListeners(20)
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    // The client has disconnected, or reads too little.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.warn({ err: error }, 'response ended early')
  })
}
