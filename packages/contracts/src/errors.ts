export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  changed: 412,
  tooLarge: 413,
  outOfRange: 416,
  tooBroad: 422,
  keyReused: 422,
  headersTooLarge: 431,
  limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/**
 * The only error class. Only the route layer turns it into an HTTP response: `body` has further fields (such as
 * `details`, `suggestion` and `limit`), if the route's error shape has any; `retryAfterSeconds` becomes `Retry-After`.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly body: JsonObject
  readonly retryAfterSeconds: number | undefined
  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { body?: JsonObject; retryAfterSeconds?: number } = {},
  ) {
    super(message, options)
    this.code = code
    this.body = options.body ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code)
