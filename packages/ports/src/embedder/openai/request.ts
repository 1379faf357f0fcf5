import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '../../clock/port.ts'
import { retryAfterMs } from '../../retry-after.ts'
import { readBody, readFailure, readVectors } from './read-answer.ts'

export type RequestOptions = {
  readonly url: string
  readonly apiKey: string | undefined
  readonly model: string
  readonly dimension: number
  readonly sendDimension: boolean
  readonly timeoutMs: number
  readonly clock: Clock
}

/**
 * `refused`: the server rejects these texts (or their number). `unusable`: it can't be reached, or key, address, model
 * or dimension must be changed.
 */
export type Reply = { readonly vectors: Float32Array[] } | { readonly refused: string } | { readonly unusable: string }

type Attempt = Reply | { readonly transient: string; readonly retryAfterMs?: number; readonly isAway?: boolean }

const refusing = new Set([400, 413, 422])
const failureBytes = 64 * 1024
/** A double in full precision, its comma and a line of its own. */
const bytesPerNumber = 40

/**
 * Sends one request and repeats it until `deadlineMs` (of the clock's `monotonic`) while the server is busy or
 * unreachable: after the time that it requests, or 0.25 s doubled each time. Then AppError `unavailable`, or `unusable`
 * if it can't be reached. No message contains the key.
 */
export const sendTexts = async (
  options: RequestOptions,
  texts: readonly string[],
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Reply> => {
  const { clock } = options
  for (let tries = 1; ; tries += 1) {
    const reply = await attempt(options, texts, signal)
    if (!('transient' in reply)) return reply
    const pauseMs = reply.retryAfterMs ?? 250 * 2 ** (tries - 1) * (0.75 + Math.random() / 2)
    if (clock.monotonic() + pauseMs > deadlineMs) {
      if (reply.isAway) return { unusable: reply.transient }
      throw new AppError('unavailable', reply.transient, { retryAfterSeconds: Math.max(1, Math.ceil(pauseMs / 1000)) })
    }
    await clock.delay(pauseMs, signal)
    signal.throwIfAborted()
  }
}

const attempt = async (options: RequestOptions, texts: readonly string[], signal: AbortSignal): Promise<Attempt> => {
  const { clock, timeoutMs } = options
  const timeout = new AbortController()
  const over = new AbortController()
  void clock.delay(timeoutMs, over.signal).then(() => timeout.abort())
  try {
    return await exchange(options, texts, AbortSignal.any([signal, timeout.signal]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    if (timeout.signal.aborted && !over.signal.aborted)
      return { transient: `The embedding server did not answer within ${timeoutMs} ms` }
    return { transient: `The embedding server can't be reached: ${causeOf(error)}`, isAway: true }
  } finally {
    over.abort()
  }
}

/** fetch says only "fetch failed"; the reason is in the cause. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

const exchange = async (options: RequestOptions, texts: readonly string[], signal: AbortSignal): Promise<Attempt> => {
  const { url, apiKey, model, dimension, sendDimension } = options
  const body = { model, input: texts, encoding_format: 'float', ...(sendDimension ? { dimensions: dimension } : {}) }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // fetch would request gzip: a query's vector is too small to gain by it, and in pieces it waits for delayed
      // acknowledgements.
      'accept-encoding': 'identity',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    // The key is sent to the configured address only.
    redirect: 'manual',
    signal,
  })
  const { status } = response
  if (status === 200) {
    const answer = await readBody(response, failureBytes + texts.length * dimension * bytesPerNumber)
    if (answer === undefined)
      throw new AppError('internal', "The embedding server's answer is larger than its vectors can be")
    return readVectors(answer, texts.length, dimension)
  }
  const detail = readFailure((await readBody(response, failureBytes)) ?? '')
  const message = `${status}${detail === '' ? '' : ` ${apiKey === undefined ? detail : detail.replaceAll(apiKey, '…')}`}`
  if (refusing.has(status)) return { refused: message }
  if (status === 408 || status === 429 || status >= 500) {
    const requestedMs = retryAfterMs(response.headers.get('retry-after'), options.clock.now())
    return {
      transient: `The embedding server is busy: ${message}`,
      ...(requestedMs === undefined ? {} : { retryAfterMs: requestedMs }),
    }
  }
  return { unusable: settingsFault(status, message) }
}

/**
 * Only another setting helps. A server's message about a wrong key may contain the key, cut or masked, so it is left
 * out.
 */
const settingsFault = (status: number, message: string): string => {
  if (status === 401 || status === 403)
    return `The embedding server refuses the key (${status}): check the key and what it may be used for`
  if (status >= 300 && status < 400) return `The embedding server redirects (${status}): set its final address`
  return `The embedding server does not serve this address or model (${message})`
}
