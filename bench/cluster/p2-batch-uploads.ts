import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { putLoad, sendOnce } from '../harness/http-load.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Row } from '../harness/row.ts'
import { rateOf, rateWith, startSubject } from '../harness/subject.ts'
import { uploadRequest } from '../harness/upload-request.ts'
import type { RawInserts } from '../subjects/raw-mongodb.ts'

const callers = 8
const batch = 100
const namespace = 'bench'

export const row: Row = {
  name: 'cluster-P2',
  what: 'documents acknowledged with 202 by the gateway of a cluster, against raw inserts into the MongoDB-compatible stand-in',
  method: `${callers} clients, ${batch} new documents of 1 KB a request, ingestion not started; against ${callers} callers that insert ${batch} copies of a row of the same collection with the driver (insertMany, unordered, w: majority, journal: true; the stand-in has one copy and no journal). The load, the gateway or the driver, and the stand-in share both cores.`,
  figures: [
    { name: 'rate', unit: 'documents/s', digits: 0 },
    { name: 'cpu', unit: 'CPU µs per document', digits: 1 },
  ],
  comparisons: [
    {
      what: 'gateway ÷ insertMany into the stand-in',
      figure: 'rate',
      sides: ['gateway', 'insertMany, stand-in'],
      as: 'ratio',
    },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, { replicas: { ingestion: 0 } }, async (product) => {
      const milliseconds = context.quick ? 500 : 3_000
      await createNamespace(product, namespace)
      const target = { ...product, namespace }
      const first = uploadRequest(target, 1)
      first.refresh()
      const { status, body } = await sendOnce(product.port, first.bytes)
      if (status !== 202) throw new Error(`uploading answered ${status}: ${body}`)
      const raw = await startSubject('raw-mongodb', context, product.settings)
      const uploaded = async () => {
        const request = () => uploadRequest(target, batch)
        const { done, seconds } = await putLoad({
          port: product.port,
          connections: callers,
          milliseconds,
          request,
          status: 202,
        })
        return { done: done * batch, seconds }
      }
      const inserted = async () => {
        const load: RawInserts = { callers, rowsPerCall: batch, milliseconds }
        return { done: await raw.ask<number>('load', load), seconds: milliseconds / 1_000 }
      }
      return {
        sides: [
          { name: 'gateway', round: () => rateWith(product.gatewayCpu, uploaded) },
          { name: 'insertMany, stand-in', round: () => rateOf(raw, inserted) },
        ],
        close: async () => {
          await raw.close()
          await product.close()
        },
      }
    }),
}
