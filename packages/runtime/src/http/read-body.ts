import type { IncomingMessage } from 'node:http'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Share } from '../throttles/byte-budget.ts'
import { createRateWatch } from './minimal-rate.ts'

/** Every window is judged by itself. */
export const bodyRate = { firstWindowMs: 15_000, windowMs: 15_000, minBytesPerSecond: 4_096 }

export const bodyTooSlow = () => new AppError('invalid', 'The request body arrived too slowly')
export const closedEarly = () =>
  new AppError('invalid', 'The connection was closed before the request body was complete')

export type ReadBodyOptions = {
  readonly limitBytes: number
  readonly rate: typeof bodyRate
  /** Counts a body of more than `limits.smallBodyBytes`. */
  readonly share: Share | undefined
  /** Called once there is capacity for a body of announced length, at once for a chunked one. */
  readonly onAdmitted: () => void
  readonly tooLarge: () => AppError
  /** Sees the bytes as they arrive; a returned error refuses the body. */
  readonly inspect: (bytes: Uint8Array) => AppError | undefined
}

/** Returns undefined for a chunked body. */
export const announcedBytes = ({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

/** Refuses a compressed body, whose decompressed size is not known in advance. */
export const encodingFault = (headers: IncomingMessage['headers']): string | undefined => {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  const isPlain = encoding === undefined || encoding === 'identity'
  return isPlain ? undefined : 'Content-Encoding is not supported; send the body uncompressed'
}

const firstBytes = 16 * 1024

/**
 * A longer body of unknown length gets a buffer of the maximum size, whose pages take memory only once written; copying
 * to ever larger buffers would hold it twice.
 */
const copiedBytes = 1024 * 1024

/**
 * Reads into one buffer: a million tiny chunks would take a hundred times the body's size. Leaves the rest of a refused
 * body unread.
 */
export const readBody = (
  raw: IncomingMessage,
  { limitBytes, rate, share, onAdmitted, tooLarge, inspect }: ReadBodyOptions,
): Promise<Buffer> => {
  const announced = announcedBytes(raw)
  let counted = 0
  const count = (size: number): void => {
    if (size <= Math.max(counted, limits.smallBodyBytes)) return
    share?.take(size - counted)
    counted = size
  }
  // Events, as leaving an async iteration early would destroy the connection before the answer.
  return new Promise((resolve, reject) => {
    // The client disconnected while an earlier guard was waiting: no event follows.
    if (raw.destroyed) return reject(closedEarly())
    const watch = createRateWatch(rate)
    count(announced ?? 0)
    let body = Buffer.allocUnsafeSlow(announced ?? firstBytes)
    let received = 0
    onAdmitted()
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      raw.off('data', onData).off('end', onEnd).off('close', onClose)
      outcome()
    }
    const fail = (error: unknown) => {
      raw.pause()
      settle(() => reject(error))
    }
    const ensureCapacity = (size: number) => {
      if (announced === undefined) count(size)
      if (size <= body.length) return
      const before = body
      body = Buffer.allocUnsafeSlow(size > copiedBytes ? limitBytes : Math.max(size, 2 * before.length))
      before.copy(body, 0, 0, received)
    }
    const onData = (chunk: Buffer) => {
      if (received + chunk.length > limitBytes) return fail(tooLarge())
      const fault = inspect(chunk)
      if (fault) return fail(fault)
      try {
        ensureCapacity(received + chunk.length)
      } catch (error) {
        return fail(error)
      }
      chunk.copy(body, received)
      received += chunk.length
    }
    const onEnd = () => settle(() => resolve(body.subarray(0, received)))
    const onClose = () => settle(() => reject(closedEarly()))
    const onTimer = () => {
      if (watch.isTooSlow(received)) return fail(bodyTooSlow())
      timer = setTimeout(onTimer, Math.max(1, watch.leftMs()))
    }
    let timer = setTimeout(onTimer, watch.leftMs())
    raw.on('data', onData).once('end', onEnd).once('close', onClose)
  })
}
