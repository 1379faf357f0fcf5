import { withCluster } from '../harness/cluster.ts'
import { missingEngines, pinEngines } from '../harness/engines.ts'
import { putLoad, sendOnce } from '../harness/http-load.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Row } from '../harness/row.ts'
import { rateOf, rateWith, startSubject } from '../harness/subject.ts'
import type { BareOptions } from '../subjects/bare-express.ts'

const connections = 64
const path = '/v1/namespaces'
const namespaces = Array.from({ length: 10 }, (_, index) => `namespace-${index}`)

export const row: Row = {
  name: 'cluster-P1',
  what: 'authenticated GET /v1/namespaces through the gateway of a cluster, against bare Express',
  method: `${connections} connections, 10 namespaces, a known key; against Express 5 that answers the same requests with the same body. The gateway, as Express, has a core for itself; the load, the MongoDB-compatible stand-in, Kafka and the other services share the other one.`,
  pinned: true,
  warmUps: 2,
  figures: [
    { name: 'rate', unit: 'requests/s', digits: 0 },
    { name: 'cpu', unit: 'CPU µs per request', digits: 0 },
  ],
  marks: [{ what: 'gateway ÷ bare Express', figure: 'rate', sides: ['gateway', 'bare Express'], atLeast: 0.5 }],
  comparisons: [
    { what: 'processor time, bare Express ÷ gateway', figure: 'cpu', sides: ['bare Express', 'gateway'], as: 'ratio' },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      const milliseconds = context.quick ? 500 : 3_000
      for (const name of namespaces) await createNamespace(product, name)
      const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${product.apiKey}\r\n\r\n`)
      const { status, body } = await sendOnce(product.port, bytes)
      const answer = JSON.parse(body.toString()) as { readonly namespaces: readonly unknown[] }
      if (status !== 200 || answer.namespaces.length !== namespaces.length)
        throw new Error(`listing answered ${status}: ${body}`)
      const bare = await startSubject('bare-express', context, {
        method: 'get',
        path,
        status,
        answer,
      } satisfies BareOptions)
      const port = await bare.ask<number>('port')
      const request = () => ({ bytes, refresh: () => undefined })
      if (context.subjectCore !== undefined) await pinEngines(context.subjectCore === 0 ? 1 : 0)
      const load = (to: number) => () => putLoad({ port: to, connections, milliseconds, request, status })
      return {
        sides: [
          { name: 'gateway', round: () => rateWith(product.gatewayCpu, load(product.port)) },
          { name: 'bare Express', round: () => rateOf(bare, load(port)) },
        ],
        close: async () => {
          await pinEngines(undefined)
          await bare.close()
          await product.close()
        },
      }
    }),
}
