import createClient, {
  type Client,
  type ClientOptions,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch'
import type { paths } from './api-types.ts'
import { CairnError, errorOfResponse, isPlanLimit } from './error.ts'

export type CairnOptions = {
  /** URL of the server, without `/v1`. Default: `http://localhost:3000`. */
  readonly url?: string
  /** API key; required for all calls except `admin` and `readiness`. */
  readonly apiKey?: string | undefined
  /** Admin key; required for `admin` and sent only with its calls. */
  readonly adminKey?: string | undefined
  /** Milliseconds of one attempt. Default: 60,000; for answers 300,000; for files longer, by their size. */
  readonly timeoutMs?: number
  /** Retries of a call that is safe to repeat. Default: 3. */
  readonly retries?: number
  /** Longest wait before an attempt, in milliseconds; a longer `Retry-After` ends the call. Default: 30,000. */
  readonly maxRetryWaitMs?: number
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch
}

export type CallOptions = {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds of one attempt; of a streamed answer, for the headers and for each further piece. */
  readonly timeoutMs?: number | undefined
}

/**
 * `idempotent`: retried after any transient failure. `keyed`: likewise, with one `Idempotency-Key`, so that the server
 * runs the call once. `once`: retried only after a 429, where the server has not processed the request.
 */
export type Repeat = 'idempotent' | 'keyed' | 'once'
type Attempt<T> = (signal: AbortSignal, headers: Readonly<Record<string, string>>) => Promise<Result<T>>
export type Result<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response }
type SendOptions = CallOptions & { readonly repeat: Repeat }
type Method = 'get' | 'post' | 'patch' | 'delete'

export type Transport = {
  readonly url: string
  readonly timeoutMs: number
  readonly api: Client<paths>
  /** Passes a large body to `fetch` unchanged; a `Request` would convert it to a stream. */
  readonly asInit: Pick<ClientOptions, 'Request' | 'fetch'>
  /** Throws CairnError, or the signal's reason, once a call fails permanently or no retries are left. */
  send<T>(attempt: Attempt<T>, options: SendOptions): Promise<T>
  /** Default: `idempotent`. */
  call<M extends Method, P extends ClientPathsWithMethod<Client<paths>, M>, I extends MaybeOptionalInit<paths[P], M>>(
    method: M,
    path: P,
    init: I,
    options?: CallOptions & { readonly repeat?: Repeat },
  ): Promise<MethodResponse<Client<paths>, M, P, I>>
  /** Needs no API key. Resolves to the ETag. */
  put(address: string, body: Blob, contentType: string, options: CallOptions): Promise<string>
}

const transientStatuses = [408, 429, 500, 502, 503, 504]

const mayRepeat = (error: CairnError, repeat: Repeat): boolean => {
  if (isPlanLimit(error)) return false
  if (error.status === 429) return true
  if (repeat === 'once') return false
  // An earlier attempt, whose connection was lost, is still running.
  if (repeat === 'keyed' && error.status === 409 && error.retryAfterSeconds !== undefined) return true
  return error.code === 'network' || error.code === 'timeout' || transientStatuses.includes(error.status)
}

const digits = () => Math.random().toString(36).slice(2)
/** Does not use `crypto.randomUUID`, which Node 18 and pages without TLS lack. */
const createIdempotencyKey = () => `${Date.now().toString(36)}-${digits()}${digits()}`

/** Returns the wait after attempt `number` (from 0); half is random, so that clients do not retry together. */
const backoffMs = (number: number): number => {
  const full = Math.min(250 * 2 ** number, 10_000)
  return full / 2 + (Math.random() * full) / 2
}

/** Rejects with the signal's reason if it is aborted earlier. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })

/** Does not use AbortSignal.any, which Node 18 lacks. */
const withDeadline = (ms: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController()
  const follow = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('The time is up', 'TimeoutError')), ms)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', follow)
    },
  }
}

const errorOfCause = (cause: unknown, url: string, timeoutMs: number): CairnError => {
  if (cause instanceof CairnError) return cause
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'TimeoutError')
    return new CairnError('timeout', `No answer from ${url} within ${timeoutMs / 1_000} s`, { cause })
  if (name === 'SyntaxError')
    return new CairnError('unexpected_response', `The server at ${url} did not answer with JSON`, { cause })
  const code = ((cause as Error | undefined)?.cause as { readonly code?: string } | undefined)?.code
  return new CairnError('network', `No server answers at ${url}${code ? ` (${code})` : ''}`, { cause })
}

/** Sent again without an idempotency key, the request would be carried out twice or rejected. */
export const keyed = (options: CallOptions | undefined) => ({ ...options, repeat: 'keyed' }) as const

export const inNamespace = (namespace_name: string) => ({ path: { namespace_name } })

/** Refuses values that would change the path's structure. */
const fillPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    // A lone surrogate can't be encoded.
    if (/^\.{0,2}$|\p{Cs}/u.test(value))
      throw new CairnError('invalid', `"${value}" can't be ${name.replaceAll('_', ' ')}`)
    return encodeURIComponent(value)
  })

/** `fetch` would throw a TypeError for a key that no header can hold, as when the server is unreachable. */
const checkKey = (name: string, key: string | undefined): void => {
  if (key !== undefined && /[^ -~\u0080-\u00ff]/.test(key))
    throw new CairnError('invalid', `The ${name} has characters that a header can't have`)
}

/** Replaces `Request` in `openapi-fetch`, to keep the two arguments of `fetch`. */
class RequestParts {
  readonly url: string
  readonly init: RequestInit
  readonly method: string | undefined
  readonly headers: unknown
  constructor(url: string, init: RequestInit) {
    this.url = url
    this.init = init
    this.method = init.method
    this.headers = init.headers
  }
}

const createApi = (
  baseUrl: string,
  { apiKey, adminKey, send }: Pick<CairnOptions, 'apiKey' | 'adminKey'> & { readonly send: typeof fetch },
): Client<paths> => {
  const api = createClient<paths>({
    baseUrl,
    ...(apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } }),
    // Following a redirect would send the key to another URL.
    redirect: 'manual',
    fetch: (request) => send(request),
    pathSerializer: fillPath,
  })
  if (adminKey !== undefined)
    api.use({
      onRequest: ({ request, schemaPath }) => {
        if (schemaPath.startsWith('/admin/')) request.headers.set('x-admin-key', adminKey)
      },
    })
  return api
}

export const createTransport = ({
  url = 'http://localhost:3000',
  apiKey,
  adminKey,
  timeoutMs: defaultTimeoutMs = 60_000,
  retries = 3,
  maxRetryWaitMs = 30_000,
  fetch: send = globalThis.fetch,
}: CairnOptions): Transport => {
  if (!/^https?:\/\//i.test(url))
    throw new CairnError('invalid', `The URL "${url}" has no scheme: add http:// or https://`)
  checkKey('API key', apiKey)
  checkKey('admin key', adminKey)
  const base = url.replace(/\/+$/, '')
  const api = createApi(base, { apiKey, adminKey, send })
  const transport: Transport = {
    url: base,
    timeoutMs: defaultTimeoutMs,
    api,
    asInit: {
      Request: RequestParts as unknown as typeof Request,
      fetch: (request) => {
        const { url: address, init } = request as unknown as RequestParts
        return send(address, init)
      },
    },
    send: async (attempt, { signal, timeoutMs = defaultTimeoutMs, repeat }) => {
      const headers: Record<string, string> = repeat === 'keyed' ? { 'idempotency-key': createIdempotencyKey() } : {}
      for (let number = 0; ; number += 1) {
        signal?.throwIfAborted()
        const scope = withDeadline(timeoutMs, signal)
        let error: CairnError
        try {
          const { data, error: body, response } = await attempt(scope.signal, headers)
          if (response.ok) return data as never
          error = errorOfResponse(response, body)
        } catch (cause) {
          signal?.throwIfAborted()
          error = errorOfCause(scope.signal.aborted ? scope.signal.reason : cause, base, timeoutMs)
        } finally {
          scope.end()
        }
        const waitMs = error.retryAfterSeconds === undefined ? backoffMs(number) : error.retryAfterSeconds * 1_000
        if (number >= retries || waitMs > maxRetryWaitMs || !mayRepeat(error, repeat)) throw error
        await sleep(waitMs, signal)
      }
    },
    call: (method, path, init, options) =>
      transport.send(
        (signal, headers) => api.request(method, path, { ...init, signal, headers } as never) as Promise<Result<never>>,
        { repeat: 'idempotent', ...options },
      ),
    put: (address, body, contentType, options) =>
      transport.send(
        async (signal) => {
          const response = await send(new URL(address, `${base}/`), {
            method: 'PUT',
            headers: { 'content-type': contentType },
            body,
            signal,
          })
          const text = await response.text()
          return response.ok ? { data: response.headers.get('etag') ?? '', response } : { error: text, response }
        },
        { ...options, repeat: 'idempotent' },
      ),
  }
  return transport
}
