import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { putLoad } from '../harness/http-load.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Row } from '../harness/row.ts'
import { rateOf, rateWith, startSubject } from '../harness/subject.ts'
import { vectorUploadRequest } from '../harness/upload-request.ts'
import type { RawPointsOptions, RawUpserts } from '../subjects/raw-qdrant.ts'
import { clusteredData } from '../vector-index/data.ts'

const callers = 4
const batch = 100
const dimension = 384
const namespace = 'bench'

export const row: Row = {
  name: 'cluster-P5',
  what: "given vectors searchable per second through the gateway of a cluster, against raw upserts into the facade over Qdrant's engine",
  method: `${callers} clients, ${batch} clustered vectors of ${dimension} dimensions with 1 KB of text each a request, answered when they can be searched; against ${callers} callers that upsert ${batch} of the same with wait=true through the REST client of Qdrant. The load, the gateway or the client, the facade and the MongoDB-compatible stand-in share both cores.`,
  figures: [
    { name: 'rate', unit: 'vectors/s', digits: 0 },
    { name: 'cpu', unit: 'CPU µs per vector', digits: 1 },
  ],
  comparisons: [
    { what: 'gateway ÷ raw upsert into the facade', figure: 'rate', sides: ['gateway', 'raw, facade'], as: 'ratio' },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      const milliseconds = context.quick ? 1_000 : 4_000
      await createNamespace(product, namespace, dimension)
      const raw = await startSubject('raw-qdrant', context, {
        settings: product.settings,
        dimension,
      } satisfies RawPointsOptions)
      const vectors = clusteredData({ rows: batch, dimension, queries: 0 }).rows.map(({ vector }) => vector)
      const request = () => vectorUploadRequest({ ...product, namespace }, vectors)
      const uploaded = async () => {
        const { done, seconds } = await putLoad({
          port: product.port,
          connections: callers,
          milliseconds,
          request,
          status: 201,
        })
        return { done: done * batch, seconds }
      }
      const upserted = async () => {
        const load: RawUpserts = { callers, rowsPerCall: batch, milliseconds }
        return { done: await raw.ask<number>('load', load), seconds: milliseconds / 1_000 }
      }
      return {
        sides: [
          { name: 'gateway', round: () => rateWith(product.gatewayCpu, uploaded) },
          { name: 'raw, facade', round: () => rateOf(raw, upserted) },
        ],
        close: async () => {
          await raw.close()
          await product.close()
        },
      }
    }),
}
