import type { IncomingMessage } from 'node:http'
import type { Operation } from '@cairn/contracts/http/operation'
import { noSpan, remoteSpan, type Span, type Tracing } from './tracing.ts'

/**
 * Starts a child of the caller's span. It has the route but never the path, which may hold users' names. Health,
 * metrics and pages get none.
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
    parent: remoteSpan(raw.headers['traceparent'], raw.headers['tracestate']),
    facts: {
      'http.request.method': name,
      'http.route': path,
      'network.protocol.version': raw.httpVersion,
      'cairn.operation': operationId,
      'cairn.request.id': requestId,
    },
  })
}
