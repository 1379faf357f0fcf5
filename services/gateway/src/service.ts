import type { AddressInfo } from 'node:net'
import { isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/ports/clock/port'
import { deriveKey } from '@cairn/runtime/derive-key'
import type { Health } from '@cairn/runtime/health'
import { closeServer, createHttpServer } from '@cairn/runtime/http-server'
import { createService, type Service } from '@cairn/runtime/lifecycle'
import type { Logger } from '@cairn/runtime/logger'
import type { Metrics } from '@cairn/runtime/metrics'
import { mountRoutes } from '@cairn/runtime/routes'
import express from 'express'
import { bootstrapAccount } from './bootstrap-account.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayPorts } from './deps.ts'
import { createCursors } from './documents/cursor.ts'
import { routes } from './routes.ts'
import { readTiers } from './tiers.ts'
import { createUsageMeter } from './usage-meter.ts'

export type GatewayDeps = Omit<GatewayPorts, 'tiers'> & {
  readonly config: Pick<GatewayConfig, 'host' | 'port' | 'secret' | 'adminKey' | 'minTextLength' | 'corsOrigins' | 'tiersFile'> & {
    /** Where there is no account yet, one is made with this key. */
    readonly firstApiKey?: string | undefined
  }
  readonly health: Health
  readonly metrics: Metrics
}

export type Gateway = Service & {
  /** The port it listens on, once started. */
  port(): number
  /** Whether this start made the first account and its key. */
  madeFirstKey(): boolean
}

const bootstrapEveryMs = 1_000

const untilAvailable = async (
  attempt: () => Promise<boolean>,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await attempt()
      return
    } catch (error) {
      log.warn({ err: error }, 'the first account could not be made yet')
      await clock.delay(bootstrapEveryMs, signal)
    }
  }
}

/** Auth, limits, routing; the HTTP API. Stopping lets requests in flight have their answers. */
export const createGatewayService = (deps: GatewayDeps): Gateway => {
  const { config, clock, metrics } = deps
  const log = deps.log.child({ service: 'gateway' })
  const tiers = readTiers(config.tiersFile)
  let port = 0
  let madeFirstKey = false
  const service = createService(async (onStop) => {
    const { firstApiKey, secret } = config
    if (firstApiKey !== undefined) {
      const bootstrap = () => bootstrapAccount({ metadata: deps.metadata, clock, secret }, firstApiKey)
      try {
        madeFirstKey = await bootstrap()
      } catch (error) {
        if (!isAppError(error, 'unavailable')) throw error
        // Processes start in any order: this one answers 503 until the store is there, and the account comes with it.
        const stopped = new AbortController()
        void untilAvailable(bootstrap, { clock, log, signal: stopped.signal })
        onStop(async () => stopped.abort())
      }
    }
    const meter = createUsageMeter({ metadata: deps.metadata, clock, log })
    const app = express()
    const table = routes({
      ...deps,
      tiers,
      log,
      meter,
      cursors: createCursors(deriveKey(config.secret, 'cursor')),
      hmacKey: deriveKey(config.secret, 'api-key'),
      adminKey: config.adminKey,
      minTextLength: config.minTextLength,
    })
    mountRoutes(app, table, {
      log,
      clock,
      corsOrigins: config.corsOrigins,
      observe: metrics.request,
    })
    meter.begin()
    onStop(meter.stop)
    const server = createHttpServer(app)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, config.host, resolve)
    })
    port = (server.address() as AddressInfo).port
    onStop(() => closeServer(server))
  })
  return { ...service, port: () => port, madeFirstKey: () => madeFirstKey }
}
