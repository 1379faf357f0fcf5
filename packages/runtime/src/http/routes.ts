import type { IncomingMessage, ServerResponse } from 'node:http'
import { nothingAtPath } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import type { ErrorShape, Operation } from '@cairn/contracts/http/operation'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from '../process/logger.ts'
import { createTimings, type Timings } from '../process/timings.ts'
import { serverSpan } from '../tracing/server-span.ts'
import { errorTypeOf, noSpan, noTracing, remoteSpan, type Span, type Tracing } from '../tracing/tracing.ts'
import type { ApiRequest, GuardedRequest, Route } from './api-request.ts'
import { checkResponse } from './check-response.ts'
import { clientLeft } from './client-left.ts'
import { corsHeaders } from './cors.ts'
import { failureResponse, methodNotAllowed, nothingHere } from './failure-response.ts'
import { hasManyHosts, takesContinue } from './http-server.ts'
import { jsonInTurns } from './json-in-turns.ts'
import { createPathTable, emptyParameterPattern, expressPath, parameterNames } from './path-table.ts'
import { requestIdOf } from './request-id.ts'
import { sendEvents } from './send-events.ts'
import { sendResponse } from './send-response.ts'
import { sendStream } from './send-stream.ts'

/** `route`: path of the matched route, or `unmatched`. Status 499: the client disconnected first. */
export type Answered = {
  readonly operationId: string
  readonly method: string
  readonly route: string
  readonly status: number
  /** From the arrival of the headers to the end of the response. */
  readonly seconds: number
}

export type RouteDeps = {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'child'>
  readonly clock: { now(): number; monotonic(): number }
  /** `*` for all, empty for none. */
  readonly corsOrigins: readonly string[]
  /** Never kept as a request id. API keys are recognized by their form. */
  readonly secrets?: readonly string[]
  /** Called for every request once its response was sent or its client has disconnected. */
  readonly observe?: (answered: Answered) => void
  /** Default: off. */
  readonly tracing?: Tracing
  /** A response that its operation does not declare is an internal error. Default: true. */
  readonly checksResponses?: boolean | undefined
}

type Exchange = {
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
const exchangeOf = (raw: Exchanged): Exchange => raw[exchangeKey] as Exchange

const maxHeaders = 200
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const pathOf = (raw: IncomingMessage): string => (raw.url ?? '/').split('?', 1)[0] as string

/** Checked before the route is looked up. */
const requestFault = (raw: IncomingMessage): AppError | undefined => {
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
const paramsOf = (params: Readonly<Record<string, string | string[]>>): Record<string, string> =>
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

/**
 * Serves the routes. Each route ends in its own error handler, so that a refusal by its guards has its error shape; a
 * request without a route gets that of the most similar one.
 *
 *     mountRoutes(app, [{ ...search(deps), guards: [auth(deps), jsonBody()] }], deps)
 */
export const mountRoutes = <C>(app: Express, routes: readonly Route<C>[], deps: RouteDeps): void => {
  const { log, clock, observe, tracing = noTracing, secrets = [], checksResponses = true } = deps
  const table = createPathTable(routes.map(({ operation }) => operation))
  const cors = corsHeaders(deps.corsOrigins)

  const onResponseClosed = (raw: IncomingMessage, response: ServerResponse): void => {
    const { requestId, timings, operation, span } = exchangeOf(raw)
    const answered: Answered = {
      operationId: operation?.operationId ?? 'unmatched',
      method: raw.method ?? '',
      route: operation?.path ?? 'unmatched',
      status: response.writableFinished ? response.statusCode : 499,
      seconds: timings.elapsedMs() / 1_000,
    }
    observe?.(answered)
    span.set({ 'http.response.status_code': answered.status })
    span.end()
    if (operation?.auth === 'none') return
    const seconds = Math.round(answered.seconds * 10_000) / 10_000
    span.run(() => log.info({ correlationId: requestId, ...answered, seconds }, 'answered'))
  }

  const begin: RequestHandler = (raw, response, next) => {
    const requestId = requestIdOf(raw.headers['x-request-id'], secrets)
    ;(raw as Exchanged)[exchangeKey] = {
      requestId,
      timings: createTimings(clock),
      operation: undefined,
      span: noSpan,
      releases: [],
    }
    response.once('close', () => onResponseClosed(raw, response))
    response.setHeader('x-request-id', requestId)
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    const methods = raw.method === 'OPTIONS' ? table.methodsAt(pathOf(raw)) : []
    const preflight = raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined
    if (table.hasCors(pathOf(raw)))
      for (const [name, value] of Object.entries(cors({ origin: raw.headers.origin, preflight, methods })))
        response.setHeader(name, value)
    const fault = requestFault(raw)
    if (fault) return next(fault)
    if (methods.length === 0) return next()
    return sendResponse(raw, response, { status: 204, headers: { allow: methods.join(', ') } })
  }

  const respondWithError =
    (shapeOf: (raw: IncomingMessage) => ErrorShape): ErrorRequestHandler =>
    (error, raw, response, _next) => {
      const { requestId, operation, span } = exchangeOf(raw)
      const answer = failureResponse(error, { shape: shapeOf(raw), requestId, operation, now: clock.now() })
      const fields = { correlationId: requestId, operationId: operation?.operationId, err: error }
      // By OpenTelemetry's conventions, a refused request is not an error of the server.
      if (answer.status < 500) span.set({ 'cairn.refused': errorTypeOf(error) })
      else span.fail(error)
      span.run(() => {
        if (answer.status === 500) log.error(fields, 'unhandled error')
        if (answer.status === 503) log.warn(fields, 'request refused: dependency unavailable')
      })
      sendResponse(raw, response, answer)
    }

  const createRequest = (
    { operation }: Route<C>,
    raw: IncomingMessage,
    response: ServerResponse,
    params: Readonly<Record<string, string>>,
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

  const runGuards = async (
    route: Route<C>,
    raw: IncomingMessage,
    response: ServerResponse,
    params: Readonly<Record<string, string>>,
  ) => {
    exchangeOf(raw).operation = route.operation
    const request = createRequest(route, raw, response, params)
    for (const guard of route.guards) await guard(request)
    if (route.operation.auth !== 'none' && route.operation.auth !== 'signature' && request.caller === undefined)
      throw new Error(`no guard of ${route.operation.operationId} set the caller`)
    return request
  }

  /** Once the work is done (even if the client disconnected) and the response was sent. */
  const withRelease =
    (handle: RequestHandler): RequestHandler =>
    async (raw, response, next) => {
      try {
        await handle(raw, response, next)
      } finally {
        const { releases } = exchangeOf(raw)
        const release = () => {
          for (const each of releases.splice(0)) each()
        }
        if (response.closed) release()
        else response.once('close', release)
      }
    }

  const inSpan =
    (route: Route<C>, handle: RequestHandler): RequestHandler =>
    (raw, response, next) => {
      const exchange = exchangeOf(raw)
      exchange.span = serverSpan(tracing, raw, route.operation, exchange.requestId)
      return exchange.span.run(() => handle(raw, response, next))
    }

  const serve = (route: Route<C>): RequestHandler => {
    const patterns = Object.entries(route.operation.request.params?.shape ?? {})
    return async (raw, response) => {
      const request = await runGuards(route, raw, response, paramsOf(raw.params))
      // Never looked up: a store might truncate an invalid name or interpret it differently.
      for (const [name, pattern] of patterns)
        if (!pattern.safeParse(request.params[name]).success) throw nothingAtPath(name, request.params[name] ?? '')
      const answer = await route.handle(request as ApiRequest<C>)
      if (checksResponses) checkResponse(route.operation, answer)
      if (answer.events) await sendEvents(response, answer, answer.events)
      else if (answer.stream) await sendStream(response, answer, answer.stream, request.log)
      else sendResponse(raw, response, await jsonInTurns(answer))
    }
  }

  const refuseEmptyParameter = (route: Route<C>): RequestHandler => {
    const names = parameterNames(route.operation.path)
    return async (raw, response) => {
      await runGuards(route, raw, response, {})
      const empty = names.find((_, index) => !(raw.params as Record<string, string>)[String(index)]) ?? names[0] ?? ''
      const field = empty === 'namespace_name' ? 'namespace' : empty
      throw new AppError('invalid', `${field} is required`, {
        body: { details: { field, requirement: 'is required in the path' } },
      })
    }
  }

  const refuseUnknown: RequestHandler = (raw, response) => {
    const path = pathOf(raw)
    const { requestId } = exchangeOf(raw)
    const methods = table.methodsAt(path)
    const context = { shape: table.shapeAt(path), requestId, now: clock.now() }
    sendResponse(raw, response, methods.length === 0 ? nothingHere(context) : methodNotAllowed(methods, context))
  }

  const translateRouterError: ErrorRequestHandler = (error, _raw, _response, next) =>
    next(
      error instanceof URIError
        ? new AppError('invalid', 'The path must be percent-encoded UTF-8', { cause: error })
        : error,
    )

  const withTracing = (route: Route<C>, handle: RequestHandler) =>
    tracing.on ? inSpan(route, withRelease(handle)) : withRelease(handle)

  app.disable('x-powered-by')
  app.use(begin)
  const router = express.Router({ caseSensitive: true })
  for (const route of routes) {
    const { method, path, errors } = route.operation
    router[method](
      expressPath(path),
      withTracing(route, serve(route)),
      respondWithError(() => errors),
    )
  }
  // Last, because the path of one route with an empty parameter may be the path of another.
  for (const route of routes) {
    const { method, path, errors } = route.operation
    const pattern = emptyParameterPattern(path)
    if (pattern)
      router[method](
        pattern,
        withTracing(route, refuseEmptyParameter(route)),
        respondWithError(() => errors),
      )
  }
  app.use(router)
  app.use(refuseUnknown)
  app.use(
    translateRouterError,
    respondWithError((raw) => table.shapeAt(pathOf(raw))),
  )
}
