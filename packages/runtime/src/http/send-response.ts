import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpResponse } from './api-request.ts'
import { announcedBytes } from './read-body.ts'

/** An unread body up to this size is discarded, so that the connection can be used again. */
const discardBytes = 256 * 1024
/** Before closing on a client that still sends, and on one that stopped. */
const lingerMs = 500
const lingerIdleMs = 200
/** Discarded before closing; enough to receive a body slightly above the limit in full. */
const lingerBytes = 12 * 1024 * 1024
/** The client must finish sending a discarded body in this time. */
const discardMs = 5_000
/** What the client has read is visible only between writes. */
const pieceBytes = 64 * 1024

const payloadOf = ({
  body,
  headers,
}: HttpResponse): { readonly payload: string | Uint8Array; readonly type: string | undefined } => {
  if (body === undefined) return { payload: '', type: undefined }
  const isReady = headers?.['content-type'] !== undefined && (typeof body === 'string' || body instanceof Uint8Array)
  return isReady
    ? { payload: body, type: undefined }
    : { payload: JSON.stringify(body), type: 'application/json; charset=utf-8' }
}

const unreadBytes = (raw: IncomingMessage): number =>
  raw.complete ? 0 : (announcedBytes(raw) ?? Number.POSITIVE_INFINITY)

const discardBody = (raw: IncomingMessage): void => {
  if (raw.complete) return
  const timer = setTimeout(() => (raw.complete ? undefined : raw.destroy()), discardMs).unref()
  raw.once('close', () => clearTimeout(timer))
}

const writeInPieces = (response: ServerResponse, bytes: Uint8Array, done: () => void): void => {
  let from = 0
  const writeOn = () => {
    while (from < bytes.length) {
      const piece = bytes.subarray(from, from + pieceBytes)
      from += piece.length
      if (!response.write(piece) && from < bytes.length) return void response.once('drain', writeOn)
    }
    done()
  }
  writeOn()
}

/**
 * Closes the connection when much of the request's body is unread, or a guard set `connection: close`; but first sends
 * the response and discards incoming bytes for a moment. Closing at once would reset the connection, and the client
 * would lose the response.
 */
export const sendResponse = (raw: IncomingMessage, response: ServerResponse, answer: HttpResponse): void => {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { payload, type } = payloadOf(answer)
  response.statusCode = answer.status
  if (type !== undefined) response.setHeader('content-type', type)
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  const sizeBytes = Buffer.byteLength(payload)
  if (answer.body !== undefined) response.setHeader('content-length', sizeBytes)
  const keepsAlive = unreadBytes(raw) <= discardBytes && response.getHeader('connection') !== 'close'
  if (!keepsAlive) response.setHeader('connection', 'close')
  if (sizeBytes > pieceBytes) {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    writeInPieces(response, bytes, () => (keepsAlive ? response.end() : linger(raw, response)))
  } else if (keepsAlive) response.end(payload)
  else {
    response.write(payload)
    linger(raw, response)
  }
  if (keepsAlive) discardBody(raw)
}

const linger = (raw: IncomingMessage, response: ServerResponse): void => {
  const close = () => {
    clearTimeout(deadline)
    clearTimeout(idle)
    raw.off('data', onData).off('close', close)
    response.end()
  }
  let discarded = 0
  const onData = (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > lingerBytes) close()
    else idle.refresh()
  }
  const deadline = setTimeout(close, lingerMs)
  const idle = setTimeout(close, lingerIdleMs)
  raw.on('data', onData).once('close', close).resume()
}
