import { CairnError } from '@cairn/client'
import { operationList } from '@cairn/contracts/api/operations'
import type { Operation } from '@cairn/contracts/http/operation'
import { checkAnswer } from './check-answer.ts'

const fits = (template: string, path: string): boolean => {
  const [expected, segments] = [template.split('/'), path.split('/')]
  return (
    expected.length === segments.length &&
    expected.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  )
}

const operationOf = ({ method, url }: Request): Operation => {
  const { pathname } = new URL(url)
  const found = operationList.find((one) => one.method === method.toLowerCase() && fits(one.path, pathname))
  if (!found) throw new Error(`${method} ${pathname} is no operation of the contract`)
  return found
}

/**
 * Wraps check failures in an error of its own kind, because the client treats every other error of `fetch` as a broken
 * connection and may reconnect.
 */
const failing = <T>(check: () => T): T => {
  try {
    return check()
  } catch (error) {
    throw new CairnError('unexpected_response', (error as Error).message, { cause: error })
  }
}

/**
 * Returns a `fetch` for the option of `Cairn` that checks every API response against the contract before the client
 * reads it. Event streams and PUT requests, which go only to signed URLs, are passed through.
 */
export const createCheckedFetch =
  (send: typeof fetch = fetch): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    if (request.method === 'PUT') return send(request)
    const operation = failing(() => operationOf(request))
    const response = await send(request)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    const text = await response.clone().text()
    failing(() => checkAnswer(operation, { status: response.status, headers: response.headers, text }))
    return response
  }
