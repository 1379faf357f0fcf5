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

export type RequestGate = {
  /** Called for each request the parser finds. False: an earlier one has no answer yet; do not serve this one. */
  begin(raw: IncomingMessage, response: ServerResponse): boolean
  /** Counts bytes of later requests, which wait for the answer to the current one. */
  heldBytes(): number
}

/** Returns the bytes up to the end of the headers, if it is in `bytes`. `before`: the last bytes parsed earlier. */
const headBytes = (before: Buffer, bytes: Buffer): number | undefined => {
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
export const gateRequests = (socket: Socket): RequestGate => {
  // Node's own listener is the first. Replacing it makes Node emit the bytes, which it otherwise parses internally.
  const parse = socket.listeners('data')[0] as (bytes: Buffer) => void
  socket.removeListener('data', parse)
  let held = nothing
  let isPaused = false
  // Node resumes whenever a part of a body is consumed; while this gate is paused, it must not.
  const resume = socket.resume.bind(socket)
  socket.resume = () => (isPaused ? socket : resume())
  /** At most three: the end of the headers may be split over two reads. */
  let headTail = nothing
  let incoming: IncomingMessage | undefined
  let bodyLeft = 0
  let open: ServerResponse | undefined
  let hasOverrun = false
  /** May begin a request in this round. */
  let hasTurn = false

  const takePiece = (): Buffer => {
    if (incoming && !incoming.complete && bodyLeft > 0) {
      const size = Math.min(held.length, Number.isFinite(bodyLeft) ? bodyLeft : chunkedPieceBytes)
      bodyLeft -= size
      return held.subarray(0, size)
    }
    const size = headBytes(headTail, held)
    headTail = size === undefined ? Buffer.concat([headTail, held.subarray(-3)]).subarray(-3) : nothing
    return held.subarray(0, size)
  }
  const pauseForRound = () => {
    isPaused = true
    socket.pause()
    setImmediate(pass)
  }
  const takeTurn = () => {
    hasTurn = rounds.take(() => {
      hasTurn = true
      pass()
    })
    return hasTurn
  }
  const pass = (): void => {
    for (let pieces = 1; held.length > 0 && socket.writable; pieces += 1) {
      if (open && incoming?.complete !== false) {
        isPaused = true
        return void socket.pause()
      }
      if (pieces > piecesPerRound) {
        pauseForRound()
        return
      }
      if (incoming?.complete !== false) {
        if (!hasTurn && !takeTurn()) {
          isPaused = true
          return void socket.pause()
        }
        hasTurn = false
      }
      const piece = takePiece()
      held = held.subarray(piece.length)
      parse(piece)
    }
    held = nothing
    if (!isPaused) return
    isPaused = false
    // Node resumes the socket when somebody reads the body.
    if (incoming && !incoming.complete && incoming.readableLength >= incoming.readableHighWaterMark) return
    resume()
  }
  socket.on('data', (bytes: Buffer) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    pass()
    // One read per round: a fast sender would otherwise get thirty while all other connections wait.
    if (incoming?.complete === false && !isPaused) pauseForRound()
  })

  return {
    begin: (raw, response) => {
      if (open) {
        // After a chunked body, or without proper line ends. The client may retry on another connection (RFC 9112,
        // 9.3.2).
        open.shouldKeepAlive = false
        hasOverrun = true
        return false
      }
      incoming = raw
      open = response
      bodyLeft = announcedBytes(raw) ?? Number.POSITIVE_INFINITY
      response.once('close', () => {
        open = undefined
        if (hasOverrun) socket.destroySoon()
        // Deferred: if handlers answer synchronously, all held requests would be served while other connections wait.
        else if (held.length > 0) setImmediate(pass)
      })
      return true
    },
    heldBytes: () => held.length,
  }
}
