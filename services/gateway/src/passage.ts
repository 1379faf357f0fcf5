import type { Operation } from '@cairn/contracts/http/operation'
import type { Endpoint, Guard, Route } from '@cairn/runtime/http/api-request'
import { jsonBody } from '@cairn/runtime/http/json-body'
import { announcedBytes } from '@cairn/runtime/http/read-body'
import type { ByteBudget } from '@cairn/runtime/throttles/byte-budget'
import { type Caller, ownerOf } from './call.ts'
import { fromThisPage } from './console/console-session.ts'
import { countInNamespaces } from './count-in-namespaces.ts'
import type { GatewayPorts } from './deps.ts'
import { adminKey } from './guards/admin-key.ts'
import { type AuthDeps, createAuthentication } from './guards/authenticate.ts'
import { countUsage } from './guards/count-usage.ts'
import { formHeaders } from './guards/form-body.ts'
import { limitInFlight } from './guards/limit-in-flight.ts'
import { type IdempotentDeps, idempotent } from './idempotent.ts'
import { checkOrigin, type McpDeps, mcpKeyOf } from './mcp/mcp-endpoint.ts'
import { type ResponseBudget, withBudget } from './response-budget.ts'
import type { UsageMeter } from './usage-meter.ts'

export type PassageDeps = AuthDeps &
  IdempotentDeps &
  Pick<GatewayPorts, 'tiers'> &
  Pick<McpDeps, 'corsOrigins'> & {
    readonly meter: UsageMeter
    /** Unset: no admin API. */
    readonly adminKey: string | undefined
    readonly requestsPerKey: number
    /** JSON bodies in progress. */
    readonly bodies: ByteBudget
    readonly responseBudget: ResponseBudget
  }

/** What a request passes before its endpoint, in one place; an operation states what applies to it. */
export const createPassage = (deps: PassageDeps) => {
  const { guard: authenticate, readableBy } = createAuthentication(deps)
  const inFlight = limitInFlight(deps.requestsPerKey)
  /** Counted apart: a message would otherwise take the slot that the requests of its tools need. */
  const messagesInFlight = limitInFlight(deps.requestsPerKey)
  const json = jsonBody<Caller>({ budget: deps.bodies, ownerOf })
  /** Whatever the Content-Type. */
  const jsonIfSent: Guard<Caller> = (request) => (announcedBytes(request.raw) === 0 ? undefined : json(request))

  const callers: Readonly<Record<Operation['auth'], readonly Guard<Caller>[]>> = {
    key: [authenticate(), inFlight, countUsage(deps)],
    admin: deps.adminKey === undefined ? [] : [adminKey(deps.adminKey)],
    // Their endpoints check what they were sent.
    signature: [],
    edge: [],
    none: [],
  }
  const bodyOf = ({ body }: Operation['request']): readonly Guard<Caller>[] => {
    if (!body) return []
    if (body.mediaType === 'multipart/form-data') return [formHeaders]
    if (body.mediaType !== undefined) return []
    return [body.optional ? jsonIfSent : json]
  }
  /** Outermost first. */
  const around = [countInNamespaces(deps.meter), idempotent(deps), withBudget(deps.responseBudget)]

  return {
    readableBy,
    /** Guards are in the order of their checks: key, scope, subscription, requests in flight, usage, body. */
    route: (endpoint: Endpoint<Caller>): Route<Caller> => ({
      ...around.reduceRight((inner, wrap) => wrap(inner), endpoint),
      guards: [...callers[endpoint.operation.auth], ...bodyOf(endpoint.operation.request)],
    }),
    /** Its tools send their own requests, which count as usage; the message itself does not. */
    mcpRoute: (endpoint: Endpoint<Caller>): Route<Caller> => ({
      ...endpoint,
      guards: [checkOrigin(deps), authenticate(mcpKeyOf), messagesInFlight, json],
    }),
    consoleSessionRoute: (endpoint: Endpoint<Caller>): Route<Caller> => ({
      ...endpoint,
      guards: [fromThisPage, jsonBody({ limitBytes: 4_096 })],
    }),
  }
}
