import type { IncomingMessage } from 'node:http'
import { AppError } from '@cairn/contracts/errors'
import { parseWithDigits } from '@cairn/contracts/exact-json'
import { groupDigits } from '@cairn/contracts/group-digits'
import { limits } from '@cairn/contracts/limits'
import type { Guard } from './api-request.ts'
import { createDepthScanner } from './json-depth.ts'

export type JsonBodyOptions = {
  /** Bytes accepted. Default 10 MB. */
  readonly limitBytes?: number
  /** A body may take this long, milliseconds, plus the time its bytes take at the minimum rate. Default 15,000. */
  readonly graceMs?: number
  /** Default 4,096. */
  readonly minBytesPerSecond?: number
}

const tooLarge = (limitBytes: number, largestBatch: string | undefined): AppError => {
  const hint = largestBatch === undefined ? '' : `; ${largestBatch}`
  return new AppError(
    'tooLarge',
    `The request body is larger than ${groupDigits(limitBytes)} bytes (${groupDigits(limitBytes / 1024 / 1024)} MB)${hint}`,
    {
      body: { details: { field: 'body', limit_bytes: limitBytes } },
    },
  )
}

/** Why the body can't be read as JSON at all, judged by the headers. */
const headerFault = (headers: IncomingMessage['headers']): string | undefined => {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'application/json') return 'Content-Type must be application/json'
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return 'The request body must be UTF-8'
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  // What it inflates to can't be known beforehand, so compressed bodies are refused.
  return encoding === undefined || encoding === 'identity' ? undefined : 'Content-Encoding is not supported; send the body uncompressed'
}

type Limits = Required<JsonBodyOptions> & { readonly largestBatch: string | undefined }

// By events, not by iteration: leaving an iteration early would destroy the connection before it is answered.
const readBody = (raw: IncomingMessage, { limitBytes, graceMs, minBytesPerSecond, largestBatch }: Limits): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const isShallow = createDepthScanner(limits.jsonDepth)
    const chunks: Buffer[] = []
    let received = 0
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      raw.off('data', onData).off('end', onEnd).off('close', onClose)
      outcome()
    }
    const fail = (error: AppError) => {
      raw.pause()
      settle(() => reject(error))
    }
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (received > limitBytes) return fail(tooLarge(limitBytes, largestBatch))
      if (!isShallow(chunk)) return fail(new AppError('invalid', `The request body is nested deeper than ${limits.jsonDepth} levels`))
      chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received)))
    const onClose = () => settle(() => reject(new AppError('invalid', 'The connection was closed before the request body was complete')))
    const onTimer = () => {
      const allowedMs = graceMs + (received / minBytesPerSecond) * 1_000
      const leftMs = startedAt + allowedMs - performance.now()
      if (leftMs <= 0) return fail(new AppError('invalid', 'The request body arrived too slowly'))
      timer = setTimeout(onTimer, leftMs)
    }
    let timer = setTimeout(onTimer, graceMs)
    raw.on('data', onData).once('end', onEnd).once('close', onClose)
  })

/** Strips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'The request body must be UTF-8', { cause })
  }
}

const parseJson = (text: string): unknown => {
  try {
    return parseWithDigits(text)
  } catch (cause) {
    // The engine's own message repeats parts of the body.
    const position = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    throw new AppError('invalid', `The request body is not valid JSON${position === undefined ? '' : ` (near position ${position})`}`)
  }
}

/**
 * Reads the body as JSON into `request.body`. Of a key that is repeated the last value counts. AppError `tooLarge` above the
 * limit, before the rest has arrived; `invalid` for anything but UTF-8 JSON of at most 64 levels that arrives at the minimum rate.
 */
export const jsonBody = ({
  limitBytes = limits.jsonBodyBytes,
  graceMs = 15_000,
  minBytesPerSecond = 4_096,
}: JsonBodyOptions = {}): Guard<unknown> => {
  const noBody = () => new AppError('invalid', 'The request body is empty; a JSON object is expected')
  return async (request) => {
    const { headers } = request.raw
    const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
    if (announced === 0) throw noBody()
    const largestBatch = request.operation.request.body?.largestBatch
    if (announced !== undefined && announced > limitBytes) throw tooLarge(limitBytes, largestBatch)
    const fault = headerFault(headers)
    if (fault) throw new AppError('invalid', fault)
    request.continueBody()
    const bytes = await readBody(request.raw, { limitBytes, graceMs, minBytesPerSecond, largestBatch }).catch((error: unknown) => {
      // What still comes is no request, and waiting for it would let a slow client keep its connection.
      request.setHeader('connection', 'close')
      throw error
    })
    if (bytes.length === 0) throw noBody()
    request.body = parseJson(decode(bytes))
  }
}
