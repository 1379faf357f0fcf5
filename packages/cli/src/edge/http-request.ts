import { AppError, type ErrorCode, errorStatus } from '@cairn/contracts/errors'

const timeoutMs = 60_000

const codeOf = (status: number): ErrorCode => {
  if (status < 400) return 'internal'
  const known = Object.entries(errorStatus).find(([, each]) => each === status)
  return (known?.[0] as ErrorCode | undefined) ?? (status < 500 ? 'invalid' : 'internal')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failureOf = ({ status, headers }: Response, body: unknown): AppError => {
  const message = (body as { readonly message?: unknown } | null | undefined)?.message
  const redirect = `The server redirects to ${headers.get('location') ?? 'another address'}: use that address instead`
  const text = typeof message === 'string' ? message : `The server answered ${status} without a reason`
  return new AppError(codeOf(status), status < 400 ? redirect : text)
}

const unreachable = (url: string, cause: unknown): AppError => {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  const inner = cause instanceof Error ? (cause.cause as { readonly code?: string } | undefined)?.code : undefined
  const why = isTimeout ? ` within ${timeoutMs / 1_000} s` : inner ? ` (${inner})` : ''
  return new AppError(
    'unavailable',
    `No server answers at ${url}${why}: start the edge store, or set its address by CAIRN_EDGE_URL or --edge`,
    { cause },
  )
}

type StoreRequest = {
  readonly url: string
  readonly path: string
  readonly method: string
  readonly key: string | undefined
  /** Sent as JSON. */
  readonly body: unknown
  readonly signal: AbortSignal
}

/** Resolves to undefined for a response without JSON. Throws `unavailable` if no server responds. */
export const sendToStore = async ({ url, path, method, key, body, signal }: StoreRequest): Promise<unknown> => {
  const [response, text] = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Following a redirect would send the key to another URL.
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((cause: unknown) => {
      signal.throwIfAborted()
      throw unreachable(url, cause)
    })
  const parsed = parseJson(text)
  if (!response.ok) throw failureOf(response, parsed)
  return parsed
}
