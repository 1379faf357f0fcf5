import express from 'express'
import type { Health } from '../process/health.ts'
import { createService, type Service } from '../process/lifecycle.ts'
import type { Metrics } from '../process/metrics.ts'
import { liveness, metricsText, readiness } from '../process/service-info.ts'
import { createHttpServer } from './http-server.ts'
import { listen } from './listen.ts'
import { mountRoutes, type RouteDeps } from './routes.ts'

type OpsServerOptions = Pick<RouteDeps, 'log' | 'clock' | 'checksResponses'> & {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly health: Health
  readonly metrics: Metrics
}

/** Serves a process without other HTTP endpoints. */
export const createOpsServer = (options: OpsServerOptions): Service & { port(): number } => {
  const { host, port, health, metrics, log, clock, checksResponses } = options
  let listening = 0
  const service = createService(async (onStop) => {
    const app = express()
    const rows = [liveness(health), readiness(health), metricsText(metrics)].map((row) => ({ ...row, guards: [] }))
    mountRoutes(app, rows, { log, clock, corsOrigins: [], checksResponses })
    const server = createHttpServer(app)
    const { port: chosen, close } = await listen(server, { host, port })
    listening = chosen
    onStop(close)
  })
  return { ...service, port: () => listening }
}
