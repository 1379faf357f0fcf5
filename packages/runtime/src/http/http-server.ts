import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@cairn/contracts/limits'
import { groupDigits } from '@cairn/contracts/text/group-digits'
import { RequestGate } from '../throttles/one-request-at-a-time.ts'
import { createRateWatch, type RateWatch } from './minimal-rate.ts'

export type HttpServerOptions = {
  /** From the first byte of a request to its last header. Default 15,000. */
  readonly headersTimeoutMs?: number
  /** From the first byte of a request to its last. Default 300,000; bodies also have a minimum rate. */
  readonly requestTimeoutMs?: number
  /**
   * Wait for the next request; Node adds a second. Must be longer than a proxy in front keeps a connection, or the
   * server closes one that the proxy is about to use. Default 75,000.
   */
  readonly keepAliveTimeoutMs?: number
  /** Interval of the checks of these timeouts and of the read rate. Default 1,000. */
  readonly checkEveryMs?: number
  /**
   * Above it, a new connection replaces the longest idle one, else one whose client does not read its response. Default
   * 2,000.
   */
  readonly maxConnections?: number
  /** Idle time after which a connection is replaced before one with an unread response. Default 1,000. */
  readonly idleMs?: number
  /** Window in which a client must read `minBytesPerSecond` of a waiting answer. Default 30,000. */
  readonly drainWindowMs?: number
  /** Window while closing, which must not wait for clients that stopped reading or sending. Default 2,000. */
  readonly closingDrainWindowMs?: number
  /** Default 8,192. */
  readonly minBytesPerSecond?: number
}

const waiting = new WeakSet<IncomingMessage>()
/** Whether the client waits for "100 Continue"; true only once per request. */
export const takesContinue = (raw: IncomingMessage): boolean => waiting.delete(raw)

/** Node silently keeps only the first; a proxy may have used another (RFC 9112, 3.2). */
export const hasManyHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.reduce(
    (count, text, index) => count + Number(index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host'),
    0,
  ) > 1

const refusals: Readonly<Record<string, { readonly line: string; readonly error: string; readonly message: string }>> =
  {
    HPE_HEADER_OVERFLOW: {
      line: '431 Request Header Fields Too Large',
      error: 'Request header fields too large',
      message: `The headers of the request are larger than ${groupDigits(limits.headerBytes)} bytes`,
    },
    ERR_HTTP_REQUEST_TIMEOUT: {
      line: '408 Request Timeout',
      error: 'Request timeout',
      message: 'The request arrived too slowly',
    },
  }
const malformed = {
  line: '400 Bad Request',
  error: 'Invalid request',
  message: 'The request is not well-formed HTTP/1.1',
}

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

type Connection = {
  readonly gate: RequestGate
  response: ServerResponse | undefined
  drain: RateWatch | undefined
  /** By `performance.now()`: accepted, or last response ended. */
  idleSince: number
}

type Patience = Required<
  Pick<HttpServerOptions, 'maxConnections' | 'idleMs' | 'drainWindowMs' | 'closingDrainWindowMs' | 'minBytesPerSecond'>
>

/** The open connections of a server, from longest to shortest idle time. */
class Connections {
  readonly #server: Server
  readonly #patience: Patience
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server, patience: Patience) {
    this.#server = server
    this.#patience = patience
  }

  get size(): number {
    return this.#open.size
  }

  /** Counts pipelined requests. */
  heldBytes(): number {
    return this.#open.values().reduce((sum, { gate }) => sum + gate.heldBytes(), 0)
  }

  responseOn(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.response
  }

  add(socket: Socket): void {
    const gate = new RequestGate(socket)
    this.#open.set(socket, { gate, response: undefined, drain: undefined, idleSince: performance.now() })
    socket.once('close', () => this.#open.delete(socket))
    this.freeOne(socket)
    // `server.maxConnections` counts only one listening address.
    if (this.#open.size > this.#patience.maxConnections) socket.destroy()
  }

  /** Returns false if an earlier request of the connection has no answer yet: this one is not served. */
  begin(raw: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = raw
    const connection = this.#open.get(socket)
    if (!connection?.gate.begin(raw, response)) return false
    connection.response = response
    response.once('close', () => {
      connection.response = undefined
      connection.drain = undefined
      connection.idleSince = performance.now()
      // A stream's headers may have promised more requests before the server began to close.
      if (!this.#server.listening) socket.destroySoon()
      // Moved to the end, as the map is ordered.
      if (this.#open.delete(socket) && !socket.destroyed) this.#open.set(socket, connection)
    })
    if (!this.#server.listening) response.shouldKeepAlive = false
    return true
  }

  /** Frees a connection for the next client: idle connections and unread answers must not shut out others. */
  freeOne(newest?: Socket): void {
    const { maxConnections, idleMs } = this.#patience
    if (this.#open.size < maxConnections) return
    const others = [...this.#open].filter(([socket]) => socket !== newest)
    const [idle, { idleSince = 0 } = {}] = others.find(([, { response }]) => !response) ?? []
    const [unread] = others.find(([, { drain }]) => drain) ?? []
    // The request of a connection just accepted may still be in transit.
    const isIdle = performance.now() - idleSince > idleMs
    ;(isIdle ? (idle ?? unread) : (unread ?? idle))?.destroy()
  }

  endSlow(): void {
    const { drainWindowMs, closingDrainWindowMs, minBytesPerSecond } = this.#patience
    const { listening } = this.#server
    for (const [socket, connection] of this.#open) {
      const isAnswered = connection.response !== undefined
      // Node enforces the header timeout only until the server begins to close.
      if (isAnswered ? socket.writableLength === 0 : listening) connection.drain = undefined
      else {
        const moved = isAnswered ? socket.bytesWritten - socket.writableLength : socket.bytesRead
        const windowMs = listening ? drainWindowMs : closingDrainWindowMs
        connection.drain ??= createRateWatch({ windowMs, minBytesPerSecond, fromBytes: moved })
        if (connection.drain.isTooSlow(moved)) socket.destroy()
      }
    }
  }

  /** Each ends after its current request; those never used, which Node counts as busy, are closed. */
  end(): void {
    for (const [socket, connection] of this.#open) {
      if (connection.response) connection.response.shouldKeepAlive = false
      else if (socket.bytesRead === 0) socket.destroy()
      // The next check starts a new window of the closing length.
      connection.drain = undefined
    }
  }
}
const connectionsOf = new WeakMap<Server, Connections>()

/** Resolves when all requests in progress are answered; a busy client could otherwise continue forever. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    connectionsOf.get(server)?.end()
    server.closeIdleConnections()
  })

/** Counts pipelined requests of all connections. */
export const heldBytes = (server: Server): number => connectionsOf.get(server)?.heldBytes() ?? 0

/**
 * Creates a server that no client can block: slow headers are cut off, invalid HTTP gets a JSON response, `100
 * Continue` is sent only when a guard reads the body, a connection has one request at a time, a client that does not
 * read is disconnected, and connections are bounded.
 */
export const createHttpServer = (handle: RequestListener, options: HttpServerOptions = {}): Server => {
  const { checkEveryMs = 1_000, maxConnections = 2_000 } = options
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: options.headersTimeoutMs ?? 15_000,
      requestTimeout: options.requestTimeoutMs ?? 300_000,
      connectionsCheckingInterval: checkEveryMs,
      // The route layer rejects a missing Host itself, in JSON.
      requireHostHeader: false,
    },
    (raw, response) => void (connections.begin(raw, response) && handle(raw, response)),
  )
  const connections = new Connections(server, {
    maxConnections,
    idleMs: options.idleMs ?? 1_000,
    drainWindowMs: options.drainWindowMs ?? 30_000,
    closingDrainWindowMs: options.closingDrainWindowMs ?? 2_000,
    minBytesPerSecond: options.minBytesPerSecond ?? 8_192,
  })
  connectionsOf.set(server, connections)
  // Node would silently drop headers beyond a maximum. Their bytes are bounded; the route layer limits their number.
  server.maxHeadersCount = 0
  server.keepAliveTimeout = options.keepAliveTimeoutMs ?? 75_000
  server.maxConnections = maxConnections
  server.on('connection', (socket: Socket) => connections.add(socket))
  // The dropped connection is lost, but its client will retry and needs a free one.
  server.on('drop', () => connections.freeOne())
  let isClosed = false
  const checking = setInterval(() => {
    connections.endSlow()
    // A second server may have passed on connections, for which `close` of this one does not wait.
    if (isClosed && connections.size === 0) clearInterval(checking)
  }, checkEveryMs).unref()
  server.once('close', () => {
    isClosed = true
  })
  server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) => {
    waiting.add(raw)
    server.emit('request', raw, response)
  })
  // Other expectations may be ignored (RFC 9110). Node would answer without our headers and in another shape.
  server.on('checkExpectation', (raw: IncomingMessage, response: ServerResponse) =>
    server.emit('request', raw, response),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = connections.responseOn(socket)
    const midAnswer = response?.headersSent === true && !response.writableFinished
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    // Data after a rejected request gets no second answer, but the first must still arrive.
    if (midAnswer) return void socket.destroySoon()
    return void socket.end(rawAnswer(error.code), () => socket.destroy())
  })
  return server
}
