import { AppError, type ErrorCode, errorStatus } from '@cairn/contracts/errors'
import type { Operation } from '@cairn/contracts/http/operation'

type BodyOf<R> = R extends { readonly body: { readonly _zod: { readonly output: infer T } } } ? T : undefined
/** One of the responses that the contract defines, distinguished by `status`. */
export type Answer<O extends Operation> = {
  [S in keyof O['responses'] & number]: { readonly status: S; readonly body: BodyOf<O['responses'][S]> }
}[keyof O['responses'] & number]

export type CallInput = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

export type Client = {
  readonly url: string
  /**
   * Sends a request and resolves to a response that the contract defines. Otherwise rejects with an AppError that has
   * the server's message: by its status, or `unavailable` if no server responds.
   */
  call<O extends Operation>(operation: O, input?: CallInput): Promise<Answer<O>>
}

export type ClientOptions = {
  readonly url: string
  /** Returns the header with the key; called before each request. */
  readonly headers?: () => Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Default: 60,000. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 60_000

const codeByStatus = new Map(Object.entries(errorStatus).map(([code, status]) => [status as number, code as ErrorCode]))
const codeOf = (status: number): ErrorCode =>
  codeByStatus.get(status) ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')

const pathOf = ({ path, request }: Operation, { params = {}, query = {} }: CallInput): string => {
  const checked = request.params?.safeParse(params)
  const [name, value] = Object.entries(params)[0] ?? []
  // Validated here, so that `..` or an empty value can't change the path.
  if (checked?.success === false) throw new AppError('invalid', `"${value}" can't be ${name?.replaceAll('_', ' ')}`)
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return present.length === 0 ? filled : `${filled}?${new URLSearchParams(present)}`
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the error for a refused request, with the server's message. */
export const failure = (response: Response, body: unknown): AppError => {
  const { status, headers } = response
  if (status >= 300 && status < 400)
    return new AppError(
      'internal',
      `The server redirects to ${headers.get('location') ?? 'another address'}: use that address instead`,
    )
  const detail =
    typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
      ? body.message
      : undefined
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  return new AppError(codeOf(status), detail ?? `The server answered ${status} without a reason`, {
    ...(Number.isFinite(after) ? { retryAfterSeconds: after } : {}),
  })
}

const unreachable = (url: string, timeoutMs: number, cause: unknown): AppError => {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  const inner = cause instanceof Error ? (cause.cause as { code?: string } | undefined)?.code : undefined
  const why = isTimeout ? ` within ${timeoutMs / 1_000} s` : inner ? ` (${inner})` : ''
  return new AppError('unavailable', `No server answers at ${url}${why}`, { cause })
}

type Request = {
  readonly url: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** Sends one request; throws `unavailable` if no server responds. */
export const send = async ({ url, path, method, headers, body, signal, timeoutMs = defaultTimeoutMs }: Request) => {
  const late = AbortSignal.timeout(timeoutMs)
  const [response, text] = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A followed redirect would send the key to another address.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, late]) : late,
  })
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw unreachable(url, timeoutMs, cause)
    })
  return { response, body: parseJson(text) }
}

/** Creates a client of one server from the API's contract. */
export const createClient = ({
  url,
  headers = () => ({}),
  signal,
  timeoutMs = defaultTimeoutMs,
}: ClientOptions): Client => ({
  url,
  call: async (operation, input = {}) => {
    const path = pathOf(operation, input)
    const method = operation.method.toUpperCase()
    const { response, body } = await send({
      url,
      path,
      method,
      headers: headers(),
      body: input.body,
      signal,
      timeoutMs,
    })
    const promised = operation.responses[response.status]
    if (!promised) throw failure(response, body)
    if (promised.body && !promised.body.safeParse(body).success)
      throw new AppError(
        'internal',
        `The server at ${url} is not Cairn, or is another version of it: its response to ${operation.operationId} has an unexpected form`,
      )
    // The body as received, not as parsed, so that fields of a later version are kept.
    return { status: response.status, body } as Answer<typeof operation>
  },
})
