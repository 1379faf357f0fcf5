import { randomFillSync } from 'node:crypto'
import { Readable } from 'node:stream'

const pieceBytes = 256 * 1024
const poolBytes = 8 * 1024 * 1024
let pool: Buffer | undefined

function* pieces(sizeBytes: number): Generator<Buffer> {
  pool ??= randomFillSync(Buffer.allocUnsafe(poolBytes))
  for (let sent = 0, from = 0; sent < sizeBytes; ) {
    const piece = pool.subarray(from, from + Math.min(pieceBytes, sizeBytes - sent))
    yield piece
    sent += piece.length
    // The step is not a multiple of the piece size, so that repeated bytes are far apart.
    from = (from + 191_999) % (poolBytes - pieceBytes)
  }
}

/** Returns a stream of `sizeBytes` bytes that takes hardly any processor time. */
export const bytesOf = (sizeBytes: number): Readable => Readable.from(pieces(sizeBytes), { objectMode: false })
