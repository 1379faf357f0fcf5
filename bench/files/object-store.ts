import { randomFillSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { clusterFiles } from '@cairn/adapters/cluster'
import type { FileStore } from '@cairn/domain/ports/file-store'
import { filePipelineConfig } from '@cairn/file-pipeline/config'
import { readConfig } from '@cairn/runtime/config'
import type { Settings } from '../harness/engines.ts'

/** The object store of a cluster, asked as a service asks it. */
export const openObjectStore = (settings: Settings): FileStore => clusterFiles(readConfig(filePipelineConfig, settings))

const pieceBytes = 256 * 1024
const poolBytes = 8 * 1024 * 1024
let pool: Buffer | undefined

function* pieces(sizeBytes: number): Generator<Buffer> {
  pool ??= randomFillSync(Buffer.allocUnsafe(poolBytes))
  for (let sent = 0, from = 0; sent < sizeBytes; ) {
    const piece = pool.subarray(from, from + Math.min(pieceBytes, sizeBytes - sent))
    yield piece
    sent += piece.length
    // Not a whole number of pieces further: no two megabytes are alike for long.
    from = (from + 191_999) % (poolBytes - pieceBytes)
  }
}

/** Returns a stream of `sizeBytes` bytes that costs hardly any processor time. */
export const bytesOf = (sizeBytes: number): Readable => Readable.from(pieces(sizeBytes), { objectMode: false })
