import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { idempotencyKeyHeader } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import type { Operation } from '@cairn/contracts/http/operation'
import { parseInTurns } from '@cairn/contracts/json/exact-json'
import { limits } from '@cairn/contracts/limits'
import { groupDigits } from '@cairn/contracts/text/group-digits'
import type { ByteBudget } from '../throttles/byte-budget.ts'
import { turns } from '../throttles/turns.ts'
import type { Guard, GuardedRequest } from './api-request.ts'
import { createJsonScanner, type JsonScanner } from './json-scan.ts'
import { announcedBytes, bodyRate, encodingFault, readBody } from './read-body.ts'

export type JsonBodyOptions<C> = {
  /** Default 10 MB. */
  readonly limitBytes?: number
  /** First window in which a body must arrive at the minimum rate. Default 15,000. */
  readonly graceMs?: number
  /** Each further window. Default 15,000. */
  readonly windowMs?: number
  /** Default 4,096. */
  readonly minBytesPerSecond?: number
  /** Whole body. Default: the operation's, else those in `limits`. */
  readonly maxCounts?: { readonly keys: number; readonly containers: number; readonly elements: number }
  /** Counts bodies above `limits.smallBodyBytes` until their requests have ended. Default: none. */
  readonly budget?: ByteBudget
  /** Owner of a body, for the budget and turns at the event loop. Default: one for all. */
  readonly ownerOf?: (caller: C | undefined) => string
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
const invalid = (message: string): AppError => new AppError('invalid', message)
const tooDeep = () => invalid(`The request body is nested deeper than ${limits.jsonDepth} levels`)

/** Returns why the headers rule out an uncompressed JSON body in UTF-8, if any. */
const headerFault = (headers: IncomingMessage['headers']): string | undefined => {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'application/json') return 'Content-Type must be application/json'
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return 'The request body must be UTF-8'
  return encodingFault(headers)
}

/** Reports a field with too many elements with its schema's text, before the limits of the whole body. */
const countFault = (
  scanner: JsonScanner,
  { request }: Operation,
  maxCounts: Required<JsonBodyOptions<unknown>>['maxCounts'],
): AppError | undefined => {
  const lengths = scanner.lengths()
  for (const [field, { elements, rule: requirement }] of Object.entries(request.body?.maxElements ?? {})) {
    const length = lengths.get(field) ?? 0
    if (length > elements)
      return new AppError('invalid', `${field} ${requirement} (given: an array of ${length})`, {
        body: { details: { field, requirement } },
      })
  }
  const { keys, containers, elements } = scanner.counts()
  const tooMany = (what: string, limit: number, actual: number) =>
    invalid(`The request body must have at most ${groupDigits(limit)} ${what} (given: ${groupDigits(actual)})`)
  if (keys > maxCounts.keys) return tooMany('keys', maxCounts.keys, keys)
  if (containers > maxCounts.containers) return tooMany('objects and arrays', maxCounts.containers, containers)
  if (elements > maxCounts.elements) return tooMany('elements', maxCounts.elements, elements)
  return undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const decode = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'The request body must be UTF-8', { cause })
  }
}
const parseJson = async (text: string): Promise<unknown> => {
  try {
    return await parseInTurns(text)
  } catch (cause) {
    // The engine's own message quotes the body.
    const position = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    throw invalid(`The request body is not valid JSON${position === undefined ? '' : ` (near position ${position})`}`)
  }
}

/**
 * Reads the body into `request.sentBody`; the last value of a repeated key counts. Throws AppError `tooLarge` above the
 * limit, before the rest has arrived; `limited` or `unavailable` when the budget is exhausted; `invalid` unless it is
 * UTF-8 JSON of at most 64 levels, within the limits and at the minimum rate.
 */
export const jsonBody = <C>(options: JsonBodyOptions<C> = {}): Guard<C> => {
  const { limitBytes = limits.jsonBodyBytes, budget, ownerOf = () => '' } = options
  const rate = {
    firstWindowMs: options.graceMs ?? bodyRate.firstWindowMs,
    windowMs: options.windowMs ?? bodyRate.windowMs,
    minBytesPerSecond: options.minBytesPerSecond ?? bodyRate.minBytesPerSecond,
  }
  const noBody = () => invalid('The request body is empty; a JSON object is expected')

  const read = async (request: GuardedRequest<C>, owner: string): Promise<Buffer> => {
    const { raw, operation } = request
    const { body } = operation.request
    const maxCounts = options.maxCounts ?? {
      keys: body?.keys ?? limits.jsonKeys,
      containers: body?.keys ?? limits.jsonContainers,
      elements: body?.elements ?? limits.jsonElements,
    }
    const scanner = createJsonScanner(limits.jsonDepth)
    const isKeyed = operation.idempotencyKey && request.header(idempotencyKeyHeader.toLowerCase()) !== undefined
    const hash = isKeyed ? createHash('sha256') : undefined
    const share = budget?.share(owner)
    if (share) request.onEnd(share.release)
    const bytes = await readBody(raw, {
      limitBytes,
      rate,
      share,
      tooLarge: () => tooLarge(limitBytes, body?.largestBatch),
      inspect: (chunk) => {
        hash?.update(chunk)
        return scanner.scan(chunk) ? undefined : tooDeep()
      },
      onAdmitted: request.continueBody,
    })
    const fault = countFault(scanner, operation, maxCounts)
    if (fault) throw fault
    request.bodyHash = hash?.digest('base64url')
    return bytes
  }

  return async (request) => {
    const { raw, operation } = request
    const announced = announcedBytes(raw)
    if (announced === 0) throw noBody()
    if (announced !== undefined && announced > limitBytes)
      throw tooLarge(limitBytes, operation.request.body?.largestBatch)
    const fault = headerFault(raw.headers)
    if (fault) throw invalid(fault)
    const owner = ownerOf(request.caller)
    const bytes = await read(request, owner).catch((error: unknown) => {
      // Waiting for the rest of the body would let a slow client keep its connection.
      if (!raw.complete) request.setHeader('connection', 'close')
      throw error
    })
    if (bytes.length === 0) throw noBody()
    if (bytes.length > limits.smallBodyBytes) await turns.take(owner, request.signal)
    request.sentBody = await parseJson(decode(bytes))
  }
}
