import type { IncomingMessage } from 'node:http'
import type { Operation } from '@cairn/contracts/http/operation'
import { noSpan, remoteSpan, type Span, type Tracing } from './tracing.ts'

const one = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/**
 * Starts the span of a request, which continues the caller's. It has the route, never the path, which may hold users'
 * names. Health, metrics and pages have none.
 */
export const serverSpan = (
  tracing: Tracing,
  raw: IncomingMessage,
  { method, path, auth, operationId }: Pick<Operation, 'path' | 'auth' | 'operationId'> & { readonly method: string },
  requestId: string,
): Span => {
  if (!tracing.on || auth === 'none') return noSpan
  const name = method.toUpperCase()
  return tracing.start({
    name: `${name} ${path}`,
    kind: 'server',
    parent: remoteSpan(raw.headers['traceparent'], one(raw.headers['tracestate'])),
    facts: {
      'http.request.method': name,
      'http.route': path,
      'network.protocol.version': raw.httpVersion,
      'cairn.operation': operationId,
      'cairn.request.id': requestId,
    },
  })
}

/**
 * As the conventions demand, a refused request is not an error of the server: only an internal failure fails the span.
 */
export const endServerSpan = (span: Span, status: number): void => {
  span.set({ 'http.response.status_code': status })
  span.end()
}
