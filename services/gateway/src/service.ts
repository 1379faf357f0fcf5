import { isTier, readTiers } from '@cairn/domain/accounts/tiers'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { createHttpServer } from '@cairn/runtime/http/http-server'
import { listen } from '@cairn/runtime/http/listen'
import { ownAddress } from '@cairn/runtime/http/own-address'
import { mountRoutes } from '@cairn/runtime/http/routes'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import type { Health } from '@cairn/runtime/process/health'
import { createLanguageCoverage } from '@cairn/runtime/process/language-coverage'
import { createService } from '@cairn/runtime/process/lifecycle'
import type { Logger } from '@cairn/runtime/process/logger'
import type { Metrics } from '@cairn/runtime/process/metrics'
import { createByteBudget } from '@cairn/runtime/throttles/byte-budget'
import { noTracing, type Tracing } from '@cairn/runtime/tracing/tracing'
import express from 'express'
import { bootstrapOnceAvailable } from './bootstrap-account.ts'
import { type GatewayConfig, trafficLimits } from './config.ts'
import { createConsoleCodes } from './console/console-codes.ts'
import type { AnswerPorts, FilePorts } from './deps.ts'
import { createCursors } from './documents/cursor.ts'
import { createEstimates } from './estimates.ts'
import { createBytesInFlight } from './files/bytes-in-flight.ts'
import type { SignedPuts } from './files/signed-put.ts'
import { createGate } from './gate.ts'
import { routes } from './routes.ts'
import { UsageMeter } from './usage-meter.ts'

export type GatewayDeps = Omit<
  FilePorts & AnswerPorts,
  'store' | 'ungatedStore' | 'vectors' | 'tiers' | 'inFlight' | 'estimates' | 'coverageOf'
> & {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly config: Pick<
    GatewayConfig,
    'host' | 'port' | 'secret' | 'adminKey' | 'minTextLength' | 'legacyCamelCase' | 'corsOrigins' | 'tiersFile'
  > &
    Partial<typeof trafficLimits & Pick<GatewayConfig, 'mcp' | 'console' | 'checksResponses' | 'publicUrl'>> & {
      /** Creates the first account with this key if no account exists. */
      readonly firstApiKey?: string | undefined
    }
  readonly health: Health
  readonly metrics: Metrics
  /** Default: off. */
  readonly tracing?: Tracing | undefined
  /** Called when this process has created the first account: at the start, or once the store is available. */
  readonly onFirstKey?: (() => void) | undefined
  /** Creates, at the start, a code that opens the console with `firstApiKey`. */
  readonly hasConsoleCode?: boolean
  /** For PUTs under `/files/` without an object store. */
  readonly signedPuts?: SignedPuts
}

const mebibyte = 1024 * 1024
/** A file of 5 GB at 2 Mbit/s. Bodies of the API have far lower limits. */
const fileTimeoutMs = 6 * 3_600_000

const secretsOf = (secret: string) => ({
  cursors: createCursors(deriveKey(secret, 'cursor')),
  downloadTokens: createCursors(deriveKey(secret, 'download')),
  hmacKey: deriveKey(secret, 'api-key'),
  responseKey: deriveKey(secret, 'stored-response'),
})

/** Returns what ends further attempts. */
const bootstrap = async (
  { store, clock, config: { secret }, onFirstKey: onCreated = () => undefined }: GatewayDeps,
  log: Logger,
  firstApiKey: string,
) => {
  const stopped = new AbortController()
  await bootstrapOnceAvailable({ store, clock, secret, log, signal: stopped.signal, onCreated }, firstApiKey)
  return async () => stopped.abort()
}

/** Creates the HTTP API. When it stops, requests in progress still get their responses. */
export const createGatewayService = (deps: GatewayDeps) => {
  const { config, clock, metrics, tracing = noTracing } = deps
  const log = deps.log.child({ service: 'gateway' })
  const tiers = readTiers(config.tiersFile)
  let port = 0
  let consoleCode: string | undefined
  const service = createService(async (onStop) => {
    const { firstApiKey } = config
    if (firstApiKey !== undefined) {
      if (!isTier(tiers, 'enterprise'))
        log.warn({ tier: 'enterprise' }, 'CAIRN_TIERS_FILE does not define the tier of the first account')
      onStop(await bootstrap(deps, log, firstApiKey))
    }
    const meter = new UsageMeter({ store: deps.store, clock, log })
    const app = express()
    const stopping = new AbortController()
    const ports = {
      ...deps,
      tiers,
      log,
      estimates: createEstimates(deps),
      coverageOf: createLanguageCoverage(deps),
      inFlight: createBytesInFlight(),
      stopping: stopping.signal,
    }
    const { corsOrigins } = config
    const { requestsPerKey, bodyMegabytes, keepAliveSeconds } = { ...trafficLimits, ...config }
    const codes = createConsoleCodes(deps.store)
    if (deps.hasConsoleCode && config.console && firstApiKey !== undefined) consoleCode = await codes.issue(firstApiKey)
    const table = routes({
      ...ports,
      ...secretsOf(config.secret),
      ungatedStore: deps.store,
      gate: createGate(deps.store),
      meter,
      publicUrl: config.publicUrl,
      adminKey: config.adminKey,
      minTextLength: config.minTextLength,
      legacyCamelCase: config.legacyCamelCase,
      requestsPerKey,
      signedPuts: deps.signedPuts,
      mcp: config.mcp ?? 'off',
      corsOrigins,
      // By IP address: `localhost` may resolve to ::1, where another program may listen.
      ownUrl: () => ownAddress({ host: config.host, port }, '127.0.0.1'),
      console: config.console === true ? { codes, clock } : undefined,
      bodies: createByteBudget({ totalBytes: bodyMegabytes * mebibyte, ownerBytes: (bodyMegabytes / 2) * mebibyte }),
    })
    mountRoutes(app, table, {
      log,
      clock,
      corsOrigins,
      observe: metrics.request,
      checksResponses: config.checksResponses,
      tracing,
      secrets: [config.secret, ...(config.adminKey === undefined ? [] : [config.adminKey])],
    })
    meter.begin()
    onStop(() => meter.stop())
    const server = createHttpServer(app, {
      keepAliveTimeoutMs: keepAliveSeconds * 1_000,
      ...(deps.signedPuts && { requestTimeoutMs: fileTimeoutMs }),
    })
    // In a burst, connections wait to be accepted; beyond the backlog, clients retry only seconds later.
    const listening = await listen(server, { port: config.port, host: config.host, backlog: 4_096 })
    port = listening.port
    onStop(listening.close)
    // Aborted before the server is closed, which waits for every response.
    onStop(async () => stopping.abort())
  })
  return {
    ...service,
    /** Returns the port, once started. */
    port: (): number => port,
    /** Returns the URL for programs on this machine, once started. */
    address: (): string => ownAddress({ host: config.host, port }),
    consoleCode: (): string | undefined => consoleCode,
  }
}

export type Gateway = ReturnType<typeof createGatewayService>
