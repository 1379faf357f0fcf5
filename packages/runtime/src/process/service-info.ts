import { operations } from '@cairn/contracts/api/operations'
import type { Endpoint } from '../http/api-request.ts'
import { endpoint, type ReplyOf } from '../http/endpoint.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'

/** Returns 503 once only a restart can help. */
export const liveness = <C>(health: Health): Endpoint<C> =>
  endpoint(operations.getLiveness, async () => {
    const { live, liveness: conditions } = await health.live()
    return { status: live ? 200 : 503, body: { status: live ? 'ok' : 'failing', conditions } }
  })

/** Returns 200 only when uploads and search are both served. */
export const readiness = <C>(health: Health): Endpoint<C> =>
  endpoint(operations.getReadiness, async () => {
    const { ready, dependencies } = await health.report()
    return {
      status: ready ? 200 : 503,
      body: { status: ready ? 'ready' : 'not_ready', dependencies },
      headers: ready ? {} : { 'retry-after': '5' },
    }
  })

const freshMs = 1_000

/** Builds the text at most once a second, for all responses: the endpoint needs no key. */
export const metricsText = <C>(metrics: Pick<Metrics, 'scrape'>): Endpoint<C> => {
  type Scraped = Promise<ReplyOf<typeof operations.getMetrics>>
  let last: { readonly at: number; readonly answer: Scraped } | undefined
  const scrape = async (): Scraped => {
    const { contentType, body } = await metrics.scrape()
    return { status: 200, body: Buffer.from(body), headers: { 'content-type': contentType } }
  }
  return endpoint(operations.getMetrics, () => {
    const at = performance.now()
    if (!last || at - last.at >= freshMs) last = { at, answer: scrape() }
    return last.answer
  })
}
