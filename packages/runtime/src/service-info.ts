import type { Endpoint } from '@cairn/runtime/api-request'
import type { Health } from '@cairn/runtime/health'
import type { Metrics } from '@cairn/runtime/metrics'
import type { Caller } from './call.ts'

/** 503 once only a restart can put it right. */
export const liveness =
  (health: Health): Endpoint<Caller> =>
  async () => {
    const { live, liveness: conditions } = await health.live()
    return { status: live ? 200 : 503, body: { status: live ? 'ok' : 'failing', conditions } }
  }

/** 200 only when uploads and search are both served. */
export const readiness =
  (health: Health): Endpoint<Caller> =>
  async () => {
    const { ready, dependencies } = await health.report()
    return {
      status: ready ? 200 : 503,
      body: { status: ready ? 'ready' : 'not_ready', dependencies },
      headers: ready ? {} : { 'retry-after': '5' },
    }
  }

export const metricsText =
  (metrics: Metrics): Endpoint<Caller> =>
  async () => {
    const { contentType, body } = await metrics.scrape()
    return { status: 200, body, headers: { 'content-type': contentType } }
  }
