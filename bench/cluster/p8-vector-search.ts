import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { percentile } from '../harness/judge.ts'
import { sendAll } from '../harness/latencies.ts'
import { createNamespace, fillNamespace } from '../harness/namespaces.ts'
import { openRawPoints } from '../harness/raw-points.ts'
import type { Measured, Row } from '../harness/row.ts'
import { idsOfHits, requestBytes, searchRequest } from '../harness/upload-request.ts'
import { clusteredData, exactScores, nearest, recallOf } from '../vector-index/data.ts'

const dimension = 384
const namespace = 'bench'
const clientCounts = [1, 16] as const
const named = (figure: string, clients: number) => `${figure}, ${clients} at once`

type IdsOf = (body: Buffer) => readonly string[]

/** Returns the row ids of a response. Point ids start at 1, row numbers at 0. */
const idsOfPoints: IdsOf = (body) =>
  (JSON.parse(body.toString()) as { result: { points: { id: number }[] } }).result.points.map(
    ({ id }) => `item-${id - 1}`,
  )

export const row: Row = {
  name: 'cluster-P8',
  what: "vector search through the gateway of a cluster, less the same search of the facade over Qdrant's engine",
  method:
    '20,000 clustered vectors of 384 dimensions with 1 KB of text each, top 10, 200 queries, by one client and by 16 at once; through the gateway, and straight to the facade (a collection of its own, texts in the answer) with the same HTTP client. The facade has no graph: it compares vector by vector, one call at a time. The load, the gateway, the facade and the MongoDB-compatible stand-in share both cores.',
  figures: [
    { name: 'recall', unit: 'recall@10', digits: 4 },
    ...clientCounts.flatMap((clients) => [
      { name: named('p50', clients), unit: 'ms', digits: 2 },
      { name: named('p95', clients), unit: 'ms', digits: 2 },
      { name: named('rate', clients), unit: 'searches/s', digits: 0 },
    ]),
  ],
  marks: [
    { what: 'recall@10 through the gateway', figure: 'recall', sides: ['gateway'], atLeast: 0.95 },
    {
      what: 'P17: searches/s of 16 clients through the gateway ÷ of the facade',
      figure: named('rate', 16),
      sides: ['gateway', 'raw, facade'],
      atLeast: 0.5,
    },
    { what: 'recall@10 of the facade', figure: 'recall', sides: ['raw, facade'], atLeast: 0.95 },
  ],
  comparisons: clientCounts.map((clients) => ({
    what: `p95 through the gateway less p95 of the facade, ${clients} at once, ms`,
    figure: named('p95', clients),
    sides: ['gateway', 'raw, facade'] as const,
    as: 'difference' as const,
  })),
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      const data = clusteredData({ rows: context.quick ? 1_000 : 20_000, dimension, queries: context.quick ? 50 : 200 })
      const exact = exactScores(data)
      await createNamespace(product, namespace, dimension)
      await fillNamespace(product, namespace, data.rows)
      const raw = await openRawPoints(product.settings, dimension)
      await raw.fill(data.rows.map(({ vector }) => vector))

      const { CAIRN_QDRANT_URL: url = '', CAIRN_QDRANT_API_KEY: key } = product.settings
      const searches = data.queries.map((vector) => searchRequest({ ...product, namespace }, vector))
      const queries = data.queries.map((vector) => {
        const query = { query: Array.from(vector), limit: nearest, with_payload: true }
        return requestBytes('POST', `/collections/${raw.collection}/points/query`, key ? { 'api-key': key } : {}, query)
      })
      const measure = async (port: number, requests: readonly Buffer[], idsOf: IdsOf): Promise<Measured> => {
        const figures: Record<string, number> = {}
        for (const clients of clientCounts) {
          const from = performance.now()
          const { times, bodies } = await sendAll(port, clients, requests)
          figures[named('rate', clients)] = (1_000 * requests.length) / (performance.now() - from)
          figures['recall'] = recallOf(data, bodies.map(idsOf), exact)
          figures[named('p50', clients)] = percentile(times, 0.5)
          figures[named('p95', clients)] = percentile(times, 0.95)
        }
        return figures
      }
      return {
        sides: [
          { name: 'gateway', round: () => measure(product.port, searches, idsOfHits) },
          { name: 'raw, facade', round: () => measure(Number(new URL(url).port), queries, idsOfPoints) },
        ],
        close: product.close,
      }
    }),
}
