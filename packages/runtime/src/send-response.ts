import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpResponse } from './api-request.ts'
import { announcedBytes } from './read-body.ts'

/** An unread body up to this size is discarded, so that the connection can be used again. */
const discardBytes = 256 * 1024
/** How long a client that still sends may take to notice its answer, and how long after it stops sending. */
const lingerMs = 500
const lingerIdleMs = 200
/**
 * Bytes discarded at most, so that a body slightly above the limit is received in full before the connection closes.
 */
const lingerBytes = 12 * 1024 * 1024
/** Time in which an unread body that is discarded must be complete. */
const discardMs = 5_000
/** Large answers are written in such pieces: only between writes is it visible how much the client has read. */
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
 * Sends the answer. Closes the connection when much of the request's body was left unread, or when a guard asked for
 * it. The answer is complete on the wire before that, and what still arrives is discarded for a moment: closing at once
 * would make the client's system discard the answer together with the connection.
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
