import * as z from 'zod'
import { text } from './common.ts'
import { operationsOf } from './operation.ts'

const checks = z.record(
  z.string(),
  z
    .object({ ok: z.boolean(), detail: text.optional(), progress: z.number().min(0).max(1).optional() })
    .meta({ id: 'Check' }),
)
const readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    dependencies: checks.describe(
      'By name. `detail`: the cause of a failure, or a remark on a working dependency. `progress`: how far its start is, where that is known.',
    ),
  })
  .meta({ id: 'Readiness' })
const liveness = z.object({ status: z.enum(['ok', 'failing']), conditions: checks }).meta({ id: 'Liveness' })

const common = { tag: 'Service', auth: 'none', errors: 'data', method: 'get', request: {}, failures: {} } as const
// No CORS: without a key, any page open on the operator's machine could read the responses.
const monitoring = { ...common, cors: false } as const

export const healthOperations = {
  ...operationsOf(monitoring, {
    getLiveness: {
      path: '/livez',
      summary: 'Check liveness',
      responses: {
        200: { description: 'The process works.', body: liveness },
        503: { description: 'The process cannot work any more and must be restarted.', body: liveness },
      },
    },
    getReadiness: {
      path: '/readyz',
      summary: 'Check readiness',
      responses: {
        200: { description: 'Uploads and search are served.', body: readiness },
        503: { description: 'Uploads or search are not served; the body names each dependency.', body: readiness },
      },
    },
    getMetrics: {
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus',
      responses: { 200: { description: 'The metrics.', text: 'text/plain' } },
    },
  }),
  ...operationsOf(common, {
    getOpenApi: {
      path: '/openapi.json',
      summary: 'This document',
      responses: { 200: { description: 'OpenAPI 3.1.', body: z.object({ openapi: text }).meta({ id: 'OpenApi' }) } },
    },
    getDocs: {
      path: '/docs',
      summary: 'This document as a web page',
      responses: { 200: { description: 'A page of HTML.', text: 'text/html' } },
    },
    getDocsScript: {
      path: '/docs/scalar.js',
      summary: 'The script of that page',
      description: 'Always compressed with gzip.',
      responses: {
        200: { description: 'The script.', text: 'text/javascript' },
        304: { description: 'The copy named by `If-None-Match` is current.' },
      },
    },
  }),
}
