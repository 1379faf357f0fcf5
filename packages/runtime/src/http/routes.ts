import type { IncomingMessage, ServerResponse } from 'node:http'
import { nothingAtPath } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import type { ErrorShape } from '@cairn/contracts/http/operation'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from '../process/logger.ts'
import { createTimings } from '../process/timings.ts'
import { serverSpan } from '../tracing/server-span.ts'
import { errorTypeOf, noSpan, noTracing, type Tracing } from '../tracing/tracing.ts'
import type { ApiRequest, GuardedRequest, Route } from './api-request.ts'
import { checkResponse } from './check-response.ts'
import { corsHeaders } from './cors.ts'
import { beginExchange, createRequest, exchangeOf, paramsOf, pathOf, requestFault } from './exchange.ts'
import { failureResponse, methodNotAllowed, nothingHere } from './failure-response.ts'
import { serializeInTurns } from './json-in-turns.ts'
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

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

type Params = Readonly<Record<string, string>>

/** Handlers of Express for routes, from the first header to the log line of the response. */
class RouteHandlers<C> {
  readonly #deps: RouteDeps
  readonly #tracing: Tracing
  readonly #table: ReturnType<typeof createPathTable>
  readonly #cors: ReturnType<typeof corsHeaders>

  constructor(routes: readonly Route<C>[], deps: RouteDeps) {
    this.#deps = deps
    this.#tracing = deps.tracing ?? noTracing
    this.#table = createPathTable(routes.map(({ operation }) => operation))
    this.#cors = corsHeaders(deps.corsOrigins)
  }

  readonly begin: RequestHandler = (raw, response, next) => {
    const { clock, secrets = [] } = this.#deps
    const requestId = requestIdOf(raw.headers['x-request-id'], secrets)
    beginExchange(raw, {
      requestId,
      timings: createTimings(clock),
      operation: undefined,
      span: noSpan,
      releases: [],
    })
    response.once('close', () => this.#onResponseClosed(raw, response))
    response.setHeader('x-request-id', requestId)
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    const methods = raw.method === 'OPTIONS' ? this.#table.methodsAt(pathOf(raw)) : []
    const preflight = raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined
    if (this.#table.hasCors(pathOf(raw)))
      for (const [name, value] of Object.entries(this.#cors({ origin: raw.headers.origin, preflight, methods })))
        response.setHeader(name, value)
    const fault = requestFault(raw)
    if (fault) return next(fault)
    if (methods.length === 0) return next()
    return sendResponse(raw, response, { status: 204, headers: { allow: methods.join(', ') } })
  }

  #onResponseClosed(raw: IncomingMessage, response: ServerResponse): void {
    const { requestId, timings, operation, span } = exchangeOf(raw)
    const answered: Answered = {
      operationId: operation?.operationId ?? 'unmatched',
      method: raw.method ?? '',
      route: operation?.path ?? 'unmatched',
      status: response.writableFinished ? response.statusCode : 499,
      seconds: timings.elapsedMs() / 1_000,
    }
    this.#deps.observe?.(answered)
    span.set({ 'http.response.status_code': answered.status })
    span.end()
    if (operation?.auth === 'none') return
    const seconds = Math.round(answered.seconds * 10_000) / 10_000
    span.run(() => this.#deps.log.info({ correlationId: requestId, ...answered, seconds }, 'answered'))
  }

  /** Runs the guards, then the endpoint. */
  serve(route: Route<C>): RequestHandler {
    const patterns = Object.entries(route.operation.request.params?.shape ?? {})
    const { checksResponses = true } = this.#deps
    return this.#inSpan(route, async (raw, response) => {
      const request = await this.#runGuards(route, raw, response, paramsOf(raw.params))
      // Never looked up: a store might truncate an invalid name or interpret it differently.
      for (const [name, pattern] of patterns)
        if (!pattern.safeParse(request.params[name]).success) throw nothingAtPath(name, request.params[name] ?? '')
      const answer = await route.handle(request as ApiRequest<C>)
      if (checksResponses) checkResponse(route.operation, answer)
      if (answer.events) await sendEvents(response, answer, answer.events)
      else if (answer.stream) await sendStream(response, answer, answer.stream, request.log)
      else sendResponse(raw, response, await serializeInTurns(answer))
    })
  }

  refuseEmptyParameter(route: Route<C>): RequestHandler {
    const names = parameterNames(route.operation.path)
    return this.#inSpan(route, async (raw, response) => {
      await this.#runGuards(route, raw, response, {})
      const empty = names.find((_, index) => !(raw.params as Params)[String(index)]) ?? names[0] ?? ''
      const field = empty === 'namespace_name' ? 'namespace' : empty
      throw new AppError('invalid', `${field} is required`, {
        body: { details: { field, requirement: 'is required in the path' } },
      })
    })
  }

  async #runGuards(
    { operation, guards }: Route<C>,
    raw: IncomingMessage,
    response: ServerResponse,
    params: Params,
  ): Promise<GuardedRequest<C>> {
    exchangeOf(raw).operation = operation
    const request = createRequest<C>(operation, raw, response, params, this.#deps.log)
    for (const guard of guards) await guard(request)
    if (operation.auth !== 'none' && operation.auth !== 'signature' && request.caller === undefined)
      throw new Error(`no guard of ${operation.operationId} set the caller`)
    return request
  }

  #inSpan(route: Route<C>, handle: RequestHandler): RequestHandler {
    const released = withRelease(handle)
    if (!this.#tracing.on) return released
    return (raw, response, next) => {
      const exchange = exchangeOf(raw)
      exchange.span = serverSpan(this.#tracing, raw, route.operation, exchange.requestId)
      return exchange.span.run(() => released(raw, response, next))
    }
  }

  respondWithError(shapeOf: (raw: IncomingMessage) => ErrorShape): ErrorRequestHandler {
    const { log, clock } = this.#deps
    return (error, raw, response, _next) => {
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
  }

  /** In the error shape of the most similar route. */
  respondWithErrorOfNearest(): ErrorRequestHandler {
    return this.respondWithError((raw) => this.#table.shapeAt(pathOf(raw)))
  }

  readonly refuseUnknown: RequestHandler = (raw, response) => {
    const path = pathOf(raw)
    const { requestId } = exchangeOf(raw)
    const methods = this.#table.methodsAt(path)
    const context = { shape: this.#table.shapeAt(path), requestId, now: this.#deps.clock.now() }
    sendResponse(raw, response, methods.length === 0 ? nothingHere(context) : methodNotAllowed(methods, context))
  }
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

const translateRouterError: ErrorRequestHandler = (error, _raw, _response, next) =>
  next(
    error instanceof URIError
      ? new AppError('invalid', 'The path must be percent-encoded UTF-8', { cause: error })
      : error,
  )

/**
 * Serves the routes. Each route ends in its own error handler, so that a refusal by its guards has its error shape; a
 * request without a route gets that of the most similar one.
 *
 *     mountRoutes(app, [{ ...search(deps), guards: [auth(deps), jsonBody()] }], deps)
 */
export const mountRoutes = <C>(app: Express, routes: readonly Route<C>[], deps: RouteDeps): void => {
  const handlers = new RouteHandlers(routes, deps)
  app.disable('x-powered-by')
  app.use(handlers.begin)
  const router = express.Router({ caseSensitive: true })
  for (const route of routes) {
    const { method, path, errors } = route.operation
    router[method](
      expressPath(path),
      handlers.serve(route),
      handlers.respondWithError(() => errors),
    )
  }
  // Last, because the path of one route with an empty parameter may be the path of another.
  for (const route of routes) {
    const { method, path, errors } = route.operation
    const pattern = emptyParameterPattern(path)
    if (pattern)
      router[method](
        pattern,
        handlers.refuseEmptyParameter(route),
        handlers.respondWithError(() => errors),
      )
  }
  app.use(router)
  app.use(handlers.refuseUnknown)
  app.use(translateRouterError, handlers.respondWithErrorOfNearest())
}
