import type { ApiAddress } from './harness/api-client.ts'
import { chromaUrl, connectToChroma, missingChroma } from './harness/chroma.ts'
import { withCluster } from './harness/cluster.ts'
import { missingEngines } from './harness/engines.ts'
import { percentile } from './harness/judge.ts'
import { sendAll } from './harness/latencies.ts'
import { createNamespace, fillNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import type { Row, Side } from './harness/row.ts'
import { idsOfHits, searchRequest } from './harness/upload-request.ts'
import { clusteredData, exactScores, farQueries, recallOf } from './vector-index/data.ts'
import type { Data } from './vector-index/side.ts'

const dimension = 384
const rowsPerUpload = 100
const namespace = 'peers'
const [one, several] = [1, 8]
const kinds = ['near', 'far'] as const

type Peer = {
  readonly name: string
  readonly port: number
  query(vector: Float32Array): Buffer
  ids(body: Buffer): readonly string[]
}

type Task = { readonly near: Data; readonly far: Data; readonly exact: Readonly<Record<string, number[][]>> }

const createTask = (quick: boolean): Task => {
  const near = clusteredData({ rows: quick ? 1_000 : 20_000, dimension, queries: quick ? 50 : 400 })
  const far = { ...near, queries: farQueries(dimension, near.queries.length) }
  return { near, far, exact: { near: exactScores(near), far: exactScores(far) } }
}

const side = (peer: Peer, task: Task): Side => ({
  name: peer.name,
  round: async () => {
    const figures: Record<string, number> = {}
    for (const kind of kinds) {
      const data = task[kind]
      const requests = data.queries.map(peer.query)
      const { times, bodies } = await sendAll(peer.port, one, requests)
      figures[`p50, ${kind}`] = percentile(times, 0.5)
      figures[`p95, ${kind}`] = percentile(times, 0.95)
      figures[`recall, ${kind}`] = recallOf(data, bodies.map(peer.ids), task.exact[kind] ?? [])
      const since = performance.now()
      await sendAll(peer.port, several, [...requests, ...requests])
      figures[`rate, ${kind}`] = (2_000 * requests.length) / (performance.now() - since)
    }
    return figures
  },
})

const open = async (name: string, address: ApiAddress, quick: boolean, close: () => Promise<void>) => {
  const task = createTask(quick)
  await createNamespace(address, namespace, dimension)
  await fillNamespace(address, namespace, task.near.rows)
  const chroma = await connectToChroma(new URL((await chromaUrl()) ?? ''))
  const { rows } = task.near
  const uploads = Array.from({ length: Math.ceil(rows.length / rowsPerUpload) }, (_, i) =>
    chroma.upload(rows.slice(i * rowsPerUpload, (i + 1) * rowsPerUpload)),
  )
  await sendAll(chroma.port, one, uploads, chroma.uploaded)
  const query = (vector: Float32Array) => searchRequest({ apiKey: address.apiKey, namespace }, vector)
  return {
    sides: [side({ name, port: address.port, query, ids: idsOfHits }, task), side({ name: 'Chroma', ...chroma }, task)],
    close: async () => {
      await chroma.remove()
      await close()
    },
  }
}

const figures = kinds.flatMap((kind) => [
  { name: `p50, ${kind}`, unit: 'ms', digits: 2 },
  { name: `p95, ${kind}`, unit: 'ms', digits: 2 },
  { name: `rate, ${kind}`, unit: 'searches/s', digits: 0 },
  { name: `recall, ${kind}`, unit: 'recall@10', digits: 4 },
])

const marks = (name: string, bounds: { readonly time: number; readonly rate: number }): Row['marks'] =>
  kinds.flatMap((kind) => [
    ...['p50', 'p95'].map((share) => ({
      what: `${name} ÷ Chroma, ${share}, ${kind}`,
      figure: `${share}, ${kind}`,
      sides: [name, 'Chroma'] as const,
      atMost: bounds.time,
    })),
    {
      what: `${name} ÷ Chroma, rate, ${kind}`,
      figure: `rate, ${kind}`,
      sides: [name, 'Chroma'] as const,
      atLeast: bounds.rate,
    },
    { what: `recall@10, ${kind}`, figure: `recall, ${kind}`, sides: [name] as const, atLeast: 0.99 },
  ])

const method = `20,000 clustered vectors of ${dimension} dimensions with 1 KB of text each, top 10 with texts: 400 queries near the vectors and 400 in any direction, by one client (p50, p95) and by ${several} (rate). The load and the side that is measured share both cores.`

export const row: Row = {
  name: 'P16',
  what: "search through one process, against Chroma's server",
  method,
  pinned: false,
  warmUps: 2,
  figures,
  marks: marks('one process', { time: 1, rate: 1 }),
  missing: missingChroma,
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'lexical' })
    return open('one process', product, context.quick, product.subject.close)
  },
}

export const clusterRow: Row = {
  name: 'cluster-P16',
  what: "search through the gateway of a cluster, against Chroma's server",
  method: `${method} So do the facade over Qdrant's engine, which has no graph, and the MongoDB-compatible stand-in.`,
  pinned: false,
  warmUps: 2,
  figures,
  marks: marks('gateway', { time: 1.5, rate: 0.7 }),
  missing: async () => (await missingEngines()) ?? (await missingChroma()),
  open: (context) => withCluster(context, {}, (product) => open('gateway', product, context.quick, product.close)),
}
