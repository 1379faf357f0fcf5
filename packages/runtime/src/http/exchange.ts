import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@cairn/contracts/errors'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Logger } from '../process/logger.ts'
import type { Timings } from '../process/timings.ts'
import { remoteSpan, type Span } from '../tracing/tracing.ts'
import type { GuardedRequest } from './api-request.ts'
import { clientLeft } from './client-left.ts'
import { hasManyHosts, takesContinue } from './http-server.ts'

/** What the server keeps of a request until its response is sent. */
export type Exchange = {
  readonly requestId: string
  readonly timings: Timings
  operation: Operation | undefined
  span: Span
  /** Called when the request has ended. */
  readonly releases: (() => void)[]
}

/** A field, as every garbage collection would walk a WeakMap. */
const exchangeKey = Symbol('exchange')
type Exchanged = IncomingMessage & { [exchangeKey]?: Exchange }
export const exchangeOf = (raw: Exchanged): Exchange => raw[exchangeKey] as Exchange
export const beginExchange = (raw: Exchanged, exchange: Exchange): void => {
  raw[exchangeKey] = exchange
}

const maxHeaders = 200

export const pathOf = (raw: IncomingMessage): string => (raw.url ?? '/').split('?', 1)[0] as string

/** Checked before the route is looked up. */
export const requestFault = (raw: IncomingMessage): AppError | undefined => {
  const count = raw.rawHeaders.length / 2
  if (count > maxHeaders)
    return new AppError('headersTooLarge', `The request has ${count} headers, at most ${maxHeaders} are accepted`)
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0')
    return new AppError('invalid', 'The request must be HTTP/1.1')
  // Absolute URLs are for proxies; their host must never matter here.
  if (!raw.url?.startsWith('/')) return new AppError('invalid', 'The request target must be a path')
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
    return new AppError('invalid', 'The Host header is missing')
  if (hasManyHosts(raw)) return new AppError('invalid', 'The Host header must be sent once')
  // Another coding would be read undecoded, and a proxy may have decoded it.
  const coding = raw.headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return new AppError('invalid', 'Transfer-Encoding must be chunked')
  return undefined
}

const queryOf = (raw: IncomingMessage): GuardedRequest<never>['sentQuery'] => {
  const url = raw.url ?? ''
  const start = url.indexOf('?')
  const query: Record<string, string | string[]> = Object.create(null)
  if (start < 0) return query
  for (const [sent, value] of new URLSearchParams(url.slice(start + 1))) {
    // Some clients write a list as `limit[]=1`, which must not look like a missing parameter.
    const name = sent.replace(/\[\d*\]$/, '')
    const before = query[name]
    // In place: with a copy for each value, a URL of 16 kB would take a seventh of a second.
    if (Array.isArray(before)) before.push(value)
    else if (before !== undefined) query[name] = [before, value]
    else query[name] = name === sent ? value : [value]
  }
  return query
}

/** Express returns the segments of a `{+name}` as an array. */
export const paramsOf = (params: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]))

const abortedWith = (response: ServerResponse): (() => AbortSignal) => {
  let signal: AbortSignal | undefined
  return () => {
    if (signal) return signal
    const controller = new AbortController()
    response.once('close', () => (response.writableFinished ? undefined : controller.abort(clientLeft())))
    signal = controller.signal
    return signal
  }
}

export const createRequest = <C>(
  operation: Operation,
  raw: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
  log: Pick<Logger, 'child'>,
): GuardedRequest<C> => {
  const { requestId, timings, span, releases } = exchangeOf(raw)
  const signal = abortedWith(response)
  let requestLog: Logger | undefined
  return {
    operation,
    requestId,
    // Without a span of its own, later work continues the caller's trace.
    get traceparent() {
      return (span.remote() ?? remoteSpan(raw.headers['traceparent']))?.traceparent ?? null
    },
    params,
    sentQuery: queryOf(raw),
    get log() {
      requestLog ??= log.child({ correlationId: requestId })
      return requestLog
    },
    timings,
    get signal() {
      return signal()
    },
    raw,
    header: (name) => {
      const value = raw.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    setHeader: (name, value) => void response.setHeader(name, value),
    continueBody: () => void (takesContinue(raw) && response.writeContinue()),
    onEnd: (release) => void releases.push(release),
    caller: undefined,
    sentBody: undefined,
    bodyHash: undefined,
  }
}
