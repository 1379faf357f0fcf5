import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { failureBody, fileFailureBody, limitFailureBody } from '@cairn/contracts/http/common'
import type { Operation } from '@cairn/contracts/http/operation'
import * as z from 'zod'

/** One answer as it came. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Statuses of the HTTP layer itself, possible on any path before a route is reached or the body is read. */
const transportStatuses = [400, 405, 408, 413, 431]

/** The schemas an answer may fit: one of them will do. */
const schemasOf = (operation: Operation, status: number): z.ZodType[] => {
  const response = operation.responses[status]
  if (response) return [response.body, response.instead].filter((schema) => schema !== undefined)
  if (operation.failures[status] === undefined && !transportStatuses.includes(status))
    throw new Error(`${operation.operationId} answered ${status}, which it does not document`)
  if (operation.errors === 'files') return [fileFailureBody]
  return [status === 429 ? limitFailureBody : failureBody]
}

/** Internals that an answer must not reveal: a stack, a source file, a home folder, an engine. */
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

/** zod drops this one key from the record of what a user has sent; everything else it keeps is what is documented. */
const withoutPrototypes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => (key === '__proto__' ? undefined : inner))

const bodyFault = (operation: Operation, schema: z.ZodType, body: unknown): string | undefined => {
  const parsed = schema.safeParse(body)
  if (!parsed.success) return `the body does not fit its schema: ${z.prettifyError(parsed.error)}`
  // The description's own schema says only that it is an OpenAPI document.
  if (operation.operationId === 'getOpenApi') return undefined
  const isWhole = isDeepStrictEqual(withoutPrototypes(parsed.data), withoutPrototypes(body))
  return isWhole ? undefined : 'the body has fields that are not documented'
}

/** No answer of a refusal names anything inside of us. */
export const expectDiscreet = ({ status, text }: Pick<Answer, 'status' | 'text'>): void => {
  const found = text.includes(ourFolder) ? ourFolder : givesAway.exec(text)?.[0]
  if (found !== undefined)
    throw new Error(`an answer ${status} gives away ${JSON.stringify(found)}: ${text.slice(0, 1_000)}`)
}

/**
 * Holds an answer against what its operation documents: the status is one of its own and no 5xx but 503, the body fits
 * that status and has no field beyond it, the request is named in header and body alike. Gives the body.
 */
export const checkAnswer = (operation: Operation, answer: Answer): unknown => {
  const { status, headers } = answer
  const requestId = headers.get('x-request-id')
  if (!requestId) fail(operation, answer, 'without x-request-id')
  const schemas = schemasOf(operation, status)
  const media = operation.responses[status]?.text
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
