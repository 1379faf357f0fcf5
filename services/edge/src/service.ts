import type { Clock } from '@cairn/domain/ports/clock'
import type { EdgeStore } from '@cairn/domain/ports/edge-store'
import { createHttpServer } from '@cairn/runtime/http/http-server'
import { listen } from '@cairn/runtime/http/listen'
import { mountRoutes } from '@cairn/runtime/http/routes'
import { createService, type Service } from '@cairn/runtime/process/lifecycle'
import type { Logger } from '@cairn/runtime/process/logger'
import express from 'express'
import { type AnswerDeps, createEdgeAnswers } from './answer.ts'
import type { EdgeConfig } from './config.ts'
import { createEdge } from './edge.ts'
import { routes } from './routes.ts'

export type EdgeDeps = Pick<AnswerDeps, 'answerer' | 'lexicalEmbedder'> & {
  readonly store: EdgeStore
  readonly config: Pick<EdgeConfig, 'host' | 'port' | 'key' | 'corsOrigins' | 'maxUploadMegabytes' | 'maxItems'> &
    Partial<Pick<EdgeConfig, 'checksResponses'>>
  readonly clock: Clock
  readonly log: Logger
}

export type EdgeService = Service & {
  /** Returns the port, after the start. */
  port(): number
}

/** Serves the store over HTTP. Stopping waits until requests in progress are answered. */
export const createEdgeService = (deps: EdgeDeps): EdgeService => {
  const { config, clock, log } = deps
  let port = 0
  const service = createService(async (onStop) => {
    const app = express()
    const { key, maxUploadMegabytes, maxItems } = config
    const table = routes({
      edge: createEdge(deps.store),
      answers: createEdgeAnswers(deps),
      key,
      maxUploadMegabytes,
      maxItems,
    })
    const { corsOrigins, checksResponses } = config
    const secrets = key === undefined ? [] : [key]
    mountRoutes(app, table, { log, clock, corsOrigins, checksResponses, secrets })
    const server = createHttpServer(app)
    const listening = await listen(server, config)
    port = listening.port
    onStop(listening.close)
  })
  return { ...service, port: () => port }
}
