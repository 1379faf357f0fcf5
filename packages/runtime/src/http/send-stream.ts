import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '../process/logger.ts'
import type { HttpResponse } from './api-request.ts'

/**
 * Sends bytes no faster than the client reads. If the stream fails, closes the connection before the announced length,
 * so that the client does not take the part for the whole.
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
  if (response.req.method === 'HEAD') {
    stream.destroy()
    return void response.end()
  }
  // `pipeline` adds listeners to those of the server; Node would warn of a leak.
  response.setMaxListeners(20)
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    // The client has disconnected, or reads too little.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.warn({ err: error }, 'response ended early')
  })
}
