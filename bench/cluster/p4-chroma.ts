import { slices } from '@cairn/contracts/flow/slices'
import { chromaUrl, connectToChroma, missingChroma } from '../harness/chroma.ts'
import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { sendAll } from '../harness/latencies.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Measured, Row, Side } from '../harness/row.ts'
import { idsOfHits, jsonRequest, kilobyte, searchRequest } from '../harness/upload-request.ts'
import { clusteredData, type Data, exactScores, nearest, recallOf, type Row as Vector } from '../vector-index/data.ts'

const dimension = 384
const batch = 100
const namespace = 'bench'
const clientCounts = [1, 4] as const
const rateOf = (clients: number) => (clients === 1 ? 'rate, 1 client' : `rate, ${clients} clients`)
/** Number of rounds, warm-up included, for which the data suffices. */
const maxRounds = 26

type Peer = {
  readonly name: string
  readonly port: number
  upload(rows: readonly Vector[]): Buffer
  readonly uploaded: number
  query(vector: Float32Array): Buffer
  ids(body: Buffer): readonly string[]
}

/**
 * Opens a side whose rounds upload the next rows of the data, half of them by one client and half by several, and
 * measure recall.
 */
const side = (peer: Peer, data: Data, perRound: number): Side => {
  let from = 0
  const load = async (clients: number): Promise<number> => {
    const rows = data.rows.slice(from, from + perRound / 2)
    if (rows.length === 0) throw new Error(`the file is at its end: --rounds ${maxRounds - 1} at most`)
    from += rows.length
    const requests = slices(rows, batch).map(peer.upload)
    const since = performance.now()
    await sendAll(peer.port, clients, requests, peer.uploaded)
    return (rows.length * 1_000) / (performance.now() - since)
  }
  const round = async (): Promise<Measured> => {
    const figures: Record<string, number> = {}
    for (const clients of clientCounts) figures[rateOf(clients)] = await load(clients)
    const indexed = { ...data, rows: data.rows.slice(0, from) }
    const { bodies } = await sendAll(peer.port, 1, data.queries.map(peer.query))
    figures['recall'] = recallOf(indexed, bodies.map(peer.ids), exactScores(indexed))
    return figures
  }
  return { name: peer.name, round }
}

export const row: Row = {
  name: 'cluster-P4',
  what: "given vectors searchable per second through the gateway of a cluster, against Chroma's server",
  method: `The same file for both, ${dimension} dimensions, clustered, 1 KB of text and one field of metadata each, in requests of ${batch} as JSON, by one client and by ${clientCounts[1]}, each answered when the vectors can be searched, 1,000 a round and number of clients; then 50 queries, each of the nearest ${nearest} of all that was uploaded so far. The load, the side that is measured, and for ours Kafka, the facade over Qdrant's engine and the MongoDB-compatible stand-in, share both cores.`,
  figures: [
    ...clientCounts.map((clients) => ({ name: rateOf(clients), unit: 'vectors/s', digits: 0 })),
    { name: 'recall', unit: 'recall@10', digits: 4 },
  ],
  marks: [
    ...clientCounts.map((clients) => ({
      what: `gateway ÷ Chroma, ${rateOf(clients)}`,
      figure: rateOf(clients),
      sides: ['gateway', 'Chroma'] as const,
      atLeast: 1,
    })),
    { what: 'recall@10 through the gateway', figure: 'recall', sides: ['gateway'], atLeast: 0.95 },
    { what: 'recall@10 of Chroma', figure: 'recall', sides: ['Chroma'], atLeast: 0.95 },
  ],
  missing: async () => (await missingEngines()) ?? (await missingChroma()),
  open: (context) =>
    withCluster(context, {}, async (product) => {
      await createNamespace(product, namespace, dimension)
      const { apiKey } = product
      const chroma = await connectToChroma(new URL((await chromaUrl()) ?? ''))
      const gateway: Peer = {
        name: 'gateway',
        port: product.port,
        uploaded: 201,
        upload: (rows) =>
          jsonRequest('POST', `/v1/namespaces/${namespace}/vectors`, apiKey, {
            vectors: rows.map(({ id, vector, bucket }) => ({ id, vector: Array.from(vector), text: kilobyte, bucket })),
          }),
        query: (vector) => searchRequest({ apiKey, namespace }, vector),
        ids: idsOfHits,
      }
      const perRound = context.quick ? 400 : 2_000
      const data = clusteredData({ rows: perRound * maxRounds, dimension, queries: 50 })
      return {
        sides: [side(gateway, data, perRound), side({ name: 'Chroma', ...chroma }, data, perRound)],
        close: async () => {
          await chroma.remove()
          await product.close()
        },
      }
    }),
}
