import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { groupDigits } from '@cairn/contracts/group-digits'
import { limits } from '@cairn/contracts/limits'

export type HttpServerOptions = {
  /** From the first byte of a request to its last header, milliseconds. Default 15,000. */
  readonly headersTimeoutMs?: number
  /** From the first byte of a request to its last, milliseconds. Default 300,000; bodies also have a minimum rate. */
  readonly requestTimeoutMs?: number
  /** How often both are checked, milliseconds. Default 1,000. */
  readonly checkEveryMs?: number
}

const waiting = new WeakSet<IncomingMessage>()
/** Whether the client waits for "100 Continue"; true once. */
export const takesContinue = (raw: IncomingMessage): boolean => waiting.delete(raw)

const refusals: Readonly<Record<string, { readonly line: string; readonly error: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    error: 'Request header fields too large',
    message: `The headers of the request are larger than ${groupDigits(limits.headerBytes)} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', error: 'Request timeout', message: 'The request arrived too slowly' },
}
const malformed = { line: '400 Bad Request', error: 'Invalid request', message: 'The request is not well-formed HTTP/1.1' }

const rawAnswer = (code: string | undefined): string => {
  const { line, error, message } = refusals[code ?? ''] ?? malformed
  const requestId = `req_${randomUUID()}`
  const body = JSON.stringify({ error, status: 'failure', message, request_id: requestId })
  const headers = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  return `HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

const unansweredOf = new WeakMap<Server, ReadonlySet<ServerResponse>>()

/**
 * Takes no more requests; resolves when those under way have their answers. Each of these is the last of its connection: a busy
 * client would otherwise go on for ever on the one it has.
 */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    for (const response of unansweredOf.get(server) ?? []) response.shouldKeepAlive = false
    server.closeIdleConnections()
  })

/**
 * A server that waits for nobody: slow headers are cut off, what is not HTTP gets a JSON answer, a client that asks before it
 * sends its body is not told to go on before a guard wants to read it.
 */
export const createHttpServer = (handle: RequestListener, options: HttpServerOptions = {}): Server => {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: options.headersTimeoutMs ?? 15_000,
      requestTimeout: options.requestTimeoutMs ?? 300_000,
      connectionsCheckingInterval: options.checkEveryMs ?? 1_000,
      // The route layer refuses a missing Host itself, in JSON.
      requireHostHeader: false,
    },
    handle,
  )
  // Node would drop the headers beyond its count in silence; their bytes are bounded, and the route layer counts them.
  server.maxHeadersCount = 0
  server.keepAliveTimeout = 15_000
  const answering = new WeakMap<Socket, ServerResponse>()
  const unanswered = new Set<ServerResponse>()
  unansweredOf.set(server, unanswered)
  server.prependListener('request', (raw, response) => {
    answering.set(raw.socket, response)
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
    if (!server.listening) response.shouldKeepAlive = false
  })
  server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) => {
    waiting.add(raw)
    server.emit('request', raw, response)
  })
  // Any other expectation may be ignored (RFC 9110); Node would answer it itself, without our headers and in no shape of ours.
  server.on('checkExpectation', (raw: IncomingMessage, response: ServerResponse) => server.emit('request', raw, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = answering.get(socket)
    const midAnswer = response?.headersSent === true && !response.writableFinished
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    // What follows a request that was refused already is not worth a second answer, but the first must still arrive.
    if (midAnswer) return void socket.destroySoon()
    return void socket.end(rawAnswer(error.code), () => socket.destroy())
  })
  return server
}
