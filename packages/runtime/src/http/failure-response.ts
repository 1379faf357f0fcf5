import { errorTitles } from '@cairn/contracts/api/failures'
import { s3Error, s3Failure } from '@cairn/contracts/api/s3-error'
import { type AppError, errorStatus, isAppError, type JsonObject } from '@cairn/contracts/errors'
import type { ErrorShape, Operation } from '@cairn/contracts/http/operation'
import type { HttpResponse } from './api-request.ts'

type Context = {
  readonly shape: ErrorShape
  readonly requestId: string
  /** Undefined when no route matched. */
  readonly operation?: Operation | undefined
  /** Wall time, ms. */
  readonly now: number
}

/** Seconds, if the error has none. */
const retryAfter: Partial<Record<number, number>> = { 429: 5, 503: 5 }

/**
 * `extra` is merged into `data`, where it may override `error`, and, without `error`, `details` and `timestamp`, into
 * `edge`. It is not sent in the shape `files`.
 */
const failureBodyOf = (
  status: number,
  message: string,
  title: string,
  extra: JsonObject,
  { shape, requestId }: Context,
): JsonObject => {
  if (shape === 'edge') {
    const { details: _details, error: _error, timestamp: _timestamp, ...own } = extra
    return { ...own, status: 'failure', message }
  }
  if (shape === 'data') return { error: title, ...extra, status: 'failure', message, request_id: requestId }
  const isAboutKey = (status === 401 || status === 403) && extra['error'] === undefined
  return isAboutKey ? { error: title, message, request_id: requestId } : { error: message, request_id: requestId }
}

/**
 * Cuts an `unavailable` with a cause at the first colon: the rest is an engine's message, which may name hosts and
 * paths, and is only logged.
 */
const publicMessage = ({ code, message, cause }: AppError): string => {
  const colon = code === 'unavailable' && cause !== undefined ? message.indexOf(': ') : -1
  return colon < 0 ? message : `${message.slice(0, colon)}.`
}

const appErrorResponse = (error: AppError, context: Context): HttpResponse => {
  const status = errorStatus[error.code]
  const seconds = error.retryAfterSeconds ?? retryAfter[status]
  return {
    status,
    body: failureBodyOf(status, publicMessage(error), errorTitles[error.code], error.body, context),
    headers: seconds === undefined ? {} : { 'retry-after': String(Math.max(0, Math.ceil(seconds))) },
  }
}

/**
 * Converts an error to a response. An AppError determines status and message. Any other error, and `internal`, becomes
 * a 500 with a fixed sentence, because its message was not written for clients.
 */
export const failureResponse = (error: unknown, context: Context): HttpResponse => {
  if (context.shape === 's3') return s3Failure(error)
  if (isAppError(error) && error.code !== 'internal') return appErrorResponse(error, context)
  const what = context.operation ? `"${context.operation.summary}" failed` : 'The request failed'
  const message = `${what} because of an internal server error; report the request_id to the operator if it persists`
  const extra = { timestamp: new Date(context.now).toISOString() }
  return { status: 500, body: failureBodyOf(500, message, errorTitles.internal, extra, context) }
}

export const nothingHere = (context: Context): HttpResponse => {
  const message = 'There is nothing at this path'
  if (context.shape === 's3') return s3Error(404, 'NoSuchKey', message)
  return { status: 404, body: failureBodyOf(404, message, 'Not found', {}, context) }
}

export const methodNotAllowed = (methods: readonly string[], context: Context): HttpResponse => {
  const allow = methods.join(', ')
  const message = `The method is not allowed here; allowed: ${allow}`
  if (context.shape === 's3') return s3Error(405, 'MethodNotAllowed', message, { allow })
  return { status: 405, body: failureBodyOf(405, message, 'Method not allowed', {}, context), headers: { allow } }
}
