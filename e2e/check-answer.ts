import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { failureBody, fileFailureBody, limitFailureBody } from '@cairn/contracts/http/common'
import type { Operation } from '@cairn/contracts/http/operation'
import * as z from 'zod'

/** A received response. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Statuses of the HTTP layer, possible on any path before a route is reached or the body is read. */
const transportStatuses = [400, 405, 408, 413, 431]

/** Returns the schemas of a status; a response must match one of them. */
const schemasOf = (operation: Operation, status: number): z.ZodType[] => {
  const response = operation.responses[status]
  if (response) return [response.body, response.instead].filter((schema) => schema !== undefined)
  if (operation.failures[status] === undefined && !transportStatuses.includes(status))
    throw new Error(`${operation.operationId} answered ${status}, which it does not document`)
  if (operation.errors === 'files') return [fileFailureBody]
  return [status === 429 ? limitFailureBody : failureBody]
}

/** Matches internals that a response must not reveal: a stack, a source file, a home folder, an engine. */
const givesAway =
  /\bat [\w.<>]+ \(|\n\s+at |node_modules|node:internal|file:\/\/|\.[cm]?[jt]s:\d+|\.db\b|\/(home|root|usr|var)\/|sqlite/i
const ourFolder = dirname(import.meta.dirname)

const fail = (operation: Operation, { status, text }: Answer, why: string): never => {
  throw new Error(`${operation.operationId} answered ${status}: ${why}\n${text.slice(0, 1_000)}`)
}

const parseBody = (operation: Operation, answer: Answer): unknown => {
  try {
    return JSON.parse(answer.text)
  } catch {
    return fail(operation, answer, 'the body is not JSON')
  }
}

/** Removes `__proto__`, the only key that zod drops from records of user data. */
const withoutPrototypes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => (key === '__proto__' ? undefined : inner))

const bodyFault = (operation: Operation, schema: z.ZodType, body: unknown): string | undefined => {
  const parsed = schema.safeParse(body)
  if (!parsed.success) return `the body does not fit its schema: ${z.prettifyError(parsed.error)}`
  // The response has no detailed schema: the description only says that it is an OpenAPI document.
  if (operation.operationId === 'getOpenApi') return undefined
  const isWhole = isDeepStrictEqual(withoutPrototypes(parsed.data), withoutPrototypes(body))
  return isWhole ? undefined : 'the body has fields that are not documented'
}

/** Expects that an error response names no internals. */
export const expectDiscreet = ({ status, text }: Pick<Answer, 'status' | 'text'>): void => {
  const found = text.includes(ourFolder) ? ourFolder : givesAway.exec(text)?.[0]
  if (found !== undefined)
    throw new Error(`an answer ${status} gives away ${JSON.stringify(found)}: ${text.slice(0, 1_000)}`)
}

/**
 * Checks a response against the documentation of its operation: the status is documented, and 503 is the only 5xx; the
 * body matches the status's schema without additional fields; the header has a request id. The body of an error has the
 * same request id and names no internals, and 429 and 503 have `retry-after`. Returns the body.
 */
export const checkAnswer = (operation: Operation, answer: Answer): unknown => {
  const { status, headers } = answer
  const requestId = headers.get('x-request-id')
  if (!requestId) fail(operation, answer, 'without x-request-id')
  const schemas = schemasOf(operation, status)
  const { text: media, bytes } = operation.responses[status] ?? {}
  if (bytes !== undefined) return answer.text
  if (media !== undefined) {
    if (!headers.get('content-type')?.startsWith(media))
      fail(operation, answer, `content-type ${headers.get('content-type')}`)
    return answer.text
  }
  if (headers.get('content-type') !== 'application/json; charset=utf-8')
    fail(operation, answer, `content-type ${headers.get('content-type')}`)
  const body = parseBody(operation, answer)
  const faults = schemas.map((schema) => bodyFault(operation, schema, body))
  if (faults.length > 0 && !faults.includes(undefined)) fail(operation, answer, faults.join('; nor the other form: '))
  if (operation.responses[status]) return body
  expectDiscreet(answer)
  if ((body as { request_id?: unknown }).request_id !== requestId)
    fail(operation, answer, 'request_id differs from the header')
  if (status >= 500 && status !== 503) throw new Error(`${operation.operationId} failed: ${answer.text}`)
  if ((status === 429 || status === 503) && !/^\d+$/.test(headers.get('retry-after') ?? ''))
    fail(operation, answer, 'without Retry-After')
  return body
}
