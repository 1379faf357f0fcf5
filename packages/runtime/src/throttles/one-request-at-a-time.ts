import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { announcedBytes } from '../http/read-body.ts'
import { createRounds } from '../jobs/rounds.ts'

/** Only the parser finds the end of a chunked body: a piece may already contain the next request. */
const chunkedPieceBytes = 1_024
/** Per round of the event loop; a piece may hold hundreds of chunks. */
const piecesPerRound = 4
/** Over all connections. Rounds must be short: each accepts only one new connection. */
const requestsPerRound = 4
/** Shared by all connections, like the event loop. */
const rounds = createRounds(requestsPerRound)
const headEnd = Buffer.from('\r\n\r\n')
const nothing: Buffer = Buffer.alloc(0)

/** Returns the bytes up to the end of the headers, if it is in `bytes`. `before`: the last bytes parsed earlier. */
const findHeadEnd = (before: Buffer, bytes: Buffer): number | undefined => {
  const seam = before.length === 0 ? -1 : Buffer.concat([before, bytes.subarray(0, 3)]).indexOf(headEnd)
  if (seam >= 0) return seam + headEnd.length - before.length
  const end = bytes.indexOf(headEnd)
  return end < 0 ? undefined : end + headEnd.length
}

/**
 * Node parses everything that a read returns, up to thousands of requests, and serves all at once. Here its parser
 * finds no request before the previous answer is sent: later bytes wait, and the connection is not read meanwhile. A
 * client that sends one request at a time is never paused.
 */
export class RequestGate {
  readonly #socket: Socket
  readonly #parse: (bytes: Buffer) => void
  readonly #resume: () => Socket
  #held = nothing
  #isPaused = false
  /** At most three: the end of the headers may be split over two reads. */
  #headTail = nothing
  #incoming: IncomingMessage | undefined
  #bodyLeft = 0
  #open: ServerResponse | undefined
  #hasOverrun = false
  /** May begin a request in this round. */
  #hasTurn = false

  constructor(socket: Socket) {
    this.#socket = socket
    // Node's own listener is the first. Replacing it makes Node emit the bytes, which it otherwise parses internally.
    this.#parse = socket.listeners('data')[0] as (bytes: Buffer) => void
    socket.removeListener('data', this.#parse)
    // Node resumes whenever a part of a body is consumed; while this gate is paused, it must not.
    this.#resume = socket.resume.bind(socket)
    socket.resume = () => (this.#isPaused ? socket : this.#resume())
    socket.on('data', (bytes: Buffer) => {
      this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
      this.#pass()
      // One read per round: a fast sender would otherwise get thirty while all other connections wait.
      if (this.#incoming?.complete === false && !this.#isPaused) this.#pauseForRound()
    })
  }

  /** Counts bytes of later requests, which wait for the answer to the current one. */
  heldBytes(): number {
    return this.#held.length
  }

  /** Called for each request the parser finds. False: an earlier one has no answer yet; do not serve this one. */
  begin(raw: IncomingMessage, response: ServerResponse): boolean {
    if (this.#open) {
      // After a chunked body, or without proper line ends. The client may retry on another connection (RFC 9112,
      // 9.3.2).
      this.#open.shouldKeepAlive = false
      this.#hasOverrun = true
      return false
    }
    this.#incoming = raw
    this.#open = response
    this.#bodyLeft = announcedBytes(raw) ?? Number.POSITIVE_INFINITY
    response.once('close', () => {
      this.#open = undefined
      if (this.#hasOverrun) this.#socket.destroySoon()
      // Deferred: if handlers answer synchronously, all held requests would be served while other connections wait.
      else if (this.#held.length > 0) setImmediate(() => this.#pass())
    })
    return true
  }

  /** Gives the parser what it may have now. */
  #pass(): void {
    for (let pieces = 1; this.#held.length > 0 && this.#socket.writable; pieces += 1) {
      const isBetweenRequests = this.#incoming?.complete !== false
      if (this.#open && isBetweenRequests) return void this.#pause()
      if (pieces > piecesPerRound) return void this.#pauseForRound()
      if (isBetweenRequests) {
        if (!this.#hasTurn && !this.#takeTurn()) return void this.#pause()
        this.#hasTurn = false
      }
      const piece = this.#takePiece()
      this.#held = this.#held.subarray(piece.length)
      this.#parse(piece)
    }
    this.#held = nothing
    this.#goOn()
  }

  #takePiece(): Buffer {
    if (this.#incoming && !this.#incoming.complete && this.#bodyLeft > 0) {
      const pieceBytes = Number.isFinite(this.#bodyLeft) ? this.#bodyLeft : chunkedPieceBytes
      const size = Math.min(this.#held.length, pieceBytes)
      this.#bodyLeft -= size
      return this.#held.subarray(0, size)
    }
    const size = findHeadEnd(this.#headTail, this.#held)
    this.#headTail =
      size === undefined ? Buffer.concat([this.#headTail, this.#held.subarray(-3)]).subarray(-3) : nothing
    return this.#held.subarray(0, size)
  }

  #takeTurn(): boolean {
    this.#hasTurn = rounds.take(() => {
      this.#hasTurn = true
      this.#pass()
    })
    return this.#hasTurn
  }

  #pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  #pauseForRound(): void {
    this.#pause()
    setImmediate(() => this.#pass())
  }

  #goOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    const incoming = this.#incoming
    // Node resumes the socket when somebody reads the body.
    if (incoming && !incoming.complete && incoming.readableLength >= incoming.readableHighWaterMark) return
    this.#resume()
  }
}
