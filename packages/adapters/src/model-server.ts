import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import { retryAfterMs } from './retry-after.ts'

export type ModelServer = {
  /** In messages, such as `embedding server`. */
  readonly name: string
  readonly url: string
  /** Bearer token. */
  readonly apiKey: string | undefined
  /** For one request. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/** `refused`: the server rejects this content. `unusable`: it is unreachable, or the key, URL or model is wrong. */
export type ModelReply = { readonly answer: string } | { readonly refused: string } | { readonly unusable: string }

type Attempt = ModelReply | { readonly transient: string; readonly retryAfterMs?: number; readonly isAway?: boolean }

type Sending = {
  /** A larger response is AppError `internal`. */
  readonly maxBytes: number
  /** By `Clock.monotonic`: no retry begins after it. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

const refusing = new Set([400, 413, 422])
const failureBytes = 64 * 1024

/**
 * Retries until the deadline while the server is busy, too slow or unreachable. Waits as long as it requests, or about
 * 0.25 s, doubled each time. Afterwards rejects with AppError `unavailable` if it is busy or too slow, or resolves to
 * `unusable` if it can't be reached. No message contains the key.
 */
export const sendToModel = async (server: ModelServer, body: unknown, sending: Sending): Promise<ModelReply> => {
  const { clock } = server
  const { deadlineMs, signal } = sending
  for (let tries = 1; ; tries += 1) {
    const reply = await attempt(server, body, sending)
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

const attempt = async (server: ModelServer, body: unknown, { maxBytes, signal }: Sending): Promise<Attempt> => {
  const { clock, timeoutMs, name } = server
  const timeout = new AbortController()
  const over = new AbortController()
  void clock.delay(timeoutMs, over.signal).then(() => timeout.abort())
  try {
    return await exchange(server, body, maxBytes, AbortSignal.any([signal, timeout.signal]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    if (timeout.signal.aborted && !over.signal.aborted)
      return { transient: `The ${name} did not answer within ${timeoutMs} ms` }
    return { transient: `The ${name} can't be reached: ${causeOf(error)}`, isAway: true }
  } finally {
    over.abort()
  }
}

/** The reason of a failed fetch is in the error's cause. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

const exchange = async (
  { name, url, apiKey, clock }: ModelServer,
  body: unknown,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Attempt> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // fetch would request gzip: a query's vector is too small to benefit, and a compressed response sent in pieces
      // waits for delayed acknowledgements.
      'accept-encoding': 'identity',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    // The key is sent to the configured URL only.
    redirect: 'manual',
    signal,
  })
  const { status } = response
  if (status === 200) {
    const answer = await readBody(response, maxBytes)
    if (answer === undefined) throw new AppError('internal', `The ${name}'s answer is larger than its content can be`)
    return { answer }
  }
  const detail = readFailure((await readBody(response, failureBytes)) ?? '')
  const message = `${status}${detail === '' ? '' : ` ${apiKey === undefined ? detail : detail.replaceAll(apiKey, '…')}`}`
  if (refusing.has(status)) return { refused: message }
  if (status === 408 || status === 429 || status >= 500) {
    const requestedMs = retryAfterMs(response.headers.get('retry-after'), clock.now())
    return {
      transient: `The ${name} is busy: ${message}`,
      ...(requestedMs === undefined ? {} : { retryAfterMs: requestedMs }),
    }
  }
  return { unusable: settingsFault(name, status, message) }
}

/** Omits the server's message about a wrong key: it may contain the key, cut or masked. */
const settingsFault = (name: string, status: number, message: string): string => {
  if (status === 401 || status === 403)
    return `The ${name} refuses the key (${status}): check the key and what it may be used for`
  if (status >= 300 && status < 400) return `The ${name} redirects (${status}): set its final address`
  return `The ${name} does not serve this address or model (${message})`
}

const readBody = async (response: Response, limitBytes: number): Promise<string | undefined> => {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > limitBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const readFailure = (body: string): string => {
  let text: unknown = body
  try {
    const { error, message, detail } = JSON.parse(body) as {
      readonly error?: unknown
      readonly message?: unknown
      readonly detail?: unknown
    }
    text =
      (typeof error === 'object' && error !== null ? (error as { readonly message?: unknown }).message : error) ??
      message ??
      detail ??
      body
  } catch {
    // Plain text or HTML.
  }
  return (typeof text === 'string' ? text : JSON.stringify(text)).replace(/\s+/g, ' ').slice(0, 300)
}
