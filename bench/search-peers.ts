import { slices } from '@cairn/contracts/flow/slices'
import { chromaUrl, connectToChroma, missingChroma } from './harness/chroma.ts'
import { percentile } from './harness/judge.ts'
import { sendAll } from './harness/latencies.ts'
import { createNamespace, fillNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import type { Mark, Row, Side } from './harness/row.ts'
import { idsOfHits, searchRequest } from './harness/upload-request.ts'
import { clusteredData, type Data, exactScores, farQueries, recallOf } from './vector-index/data.ts'

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

const figures = kinds.flatMap((kind) => [
  { name: `p50, ${kind}`, unit: 'ms', digits: 2 },
  { name: `p95, ${kind}`, unit: 'ms', digits: 2 },
  { name: `rate, ${kind}`, unit: 'searches/s', digits: 0 },
  { name: `recall, ${kind}`, unit: 'recall@10', digits: 4 },
])

const marks = kinds.flatMap((kind): Mark[] => [
  ...['p50', 'p95'].map((share) => ({
    what: `one process ÷ Chroma, ${share}, ${kind}`,
    figure: `${share}, ${kind}`,
    sides: ['one process', 'Chroma'] as const,
    atMost: 1,
  })),
  {
    what: `one process ÷ Chroma, rate, ${kind}`,
    figure: `rate, ${kind}`,
    sides: ['one process', 'Chroma'],
    atLeast: 1,
  },
  { what: `recall@10, ${kind}`, figure: `recall, ${kind}`, sides: ['one process'], atLeast: 0.99 },
])

export const row: Row = {
  name: 'P16',
  what: "search through one process, against Chroma's server",
  method: `20,000 clustered vectors of ${dimension} dimensions with 1 KB of text each, top 10 with texts: 400 queries near the vectors and 400 in any direction, by one client (p50, p95) and by ${several} (rate). The load and the side that is measured share both cores.`,
  warmUps: 2,
  figures,
  marks,
  missing: missingChroma,
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'lexical' })
    const task = createTask(context.quick)
    await createNamespace(product, namespace, dimension)
    await fillNamespace(product, namespace, task.near.rows)
    const chroma = await connectToChroma(new URL((await chromaUrl()) ?? ''))
    const uploads = slices(task.near.rows, rowsPerUpload).map(chroma.upload)
    await sendAll(chroma.port, one, uploads, chroma.uploaded)
    const query = (vector: Float32Array) => searchRequest({ apiKey: product.apiKey, namespace }, vector)
    return {
      sides: [
        side({ name: 'one process', port: product.port, query, ids: idsOfHits }, task),
        side({ name: 'Chroma', ...chroma }, task),
      ],
      close: async () => {
        await chroma.remove()
        await product.subject.close()
      },
    }
  },
}
