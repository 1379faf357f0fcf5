/** The client sets the last four, without a response. The package's README says what to do about each. */
export type CairnErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'too_broad'
  | 'limited'
  | 'internal'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'unexpected_response'
  | 'unsupported'

const codes: Readonly<Record<number, CairnErrorCode>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  413: 'too_large',
  422: 'too_broad',
  429: 'limited',
  503: 'unavailable',
}
const codeOf = (status: number): CairnErrorCode => {
  if (status < 400) return 'unexpected_response'
  return codes[status] ?? (status < 500 ? 'invalid' : 'internal')
}

export type CairnErrorDetails = {
  /** HTTP status; 0 without a response. */
  readonly status?: number
  /** Id of the request in the server's logs. */
  readonly requestId?: string | undefined
  /** From the header `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
  /** The body of the response, parsed if it is JSON. */
  readonly body?: unknown
  readonly cause?: unknown
}

/**
 * Error of every failed call, except that an aborted call rejects with the reason of its signal.
 *
 * @example
 * try {
 *   await cairn.search({ query: 'a path', namespaces: ['notes'] })
 * } catch (error) {
 *   if (!(error instanceof CairnError)) throw error
 *   console.error(error.code, error.message, error.requestId)
 * }
 */
export class CairnError extends Error {
  override readonly name = 'CairnError'
  /** Kind of the failure, which programs decide by. */
  readonly code: CairnErrorCode
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** Id of the request, by which the operator finds it in the server's log. */
  readonly requestId: string | undefined
  /** Seconds after which the server wants the request to be repeated. */
  readonly retryAfterSeconds: number | undefined
  /** Body of the response, parsed if it is JSON. */
  readonly body: unknown
  constructor(code: CairnErrorCode, message: string, details: CairnErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? 0
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.body = details.body
  }
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

/** Reads the XML of S3, and of a single process for its signed URLs. */
const xmlMessage = (body: unknown): string | undefined =>
  typeof body === 'string' ? /<Message>([^<]*)<\/Message>/.exec(body)?.[1] : undefined

/** Detects a reached plan limit or an expired subscription: a retry within seconds can't succeed. */
export const isPlanLimit = ({ status, body }: CairnError): boolean =>
  status === 429 && (fieldOf(body, 'limit') !== undefined || fieldOf(body, 'error') === 'Subscription expired')

export const errorOfResponse = (response: Response, body: unknown): CairnError => {
  const { status, headers } = response
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const requestId = fieldOf(body, 'request_id') ?? headers.get('x-request-id')
  const details = {
    status,
    body,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
  }
  const location = headers.get('location')
  // Browsers report neither the target nor the status of a redirect.
  if ((status >= 300 && status < 400) || response.type === 'opaqueredirect')
    return new CairnError(
      'unexpected_response',
      `The server redirects to ${location ?? 'another address'}: use that address instead`,
      details,
    )
  const text = [fieldOf(body, 'message'), fieldOf(body, 'error'), xmlMessage(body)].find(
    (each) => typeof each === 'string' && each !== '',
  )
  return new CairnError(codeOf(status), String(text ?? `The server answered ${status} without a reason`), details)
}

/** Resolves to undefined instead of rejecting with `not_found`. */
export const orUndefined = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof CairnError && error.code === 'not_found') return undefined
    throw error
  })
