import { setTimeout as pause } from 'node:timers/promises'
import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { connectTo, putLoad, type Request } from '../harness/http-load.ts'
import { percentile } from '../harness/judge.ts'
import { sendAll } from '../harness/latencies.ts'
import { createNamespace, fillNamespace } from '../harness/namespaces.ts'
import type { Row } from '../harness/row.ts'
import { searchRequest, vectorUploadRequest } from '../harness/upload-request.ts'
import { clusteredData } from '../vector-index/data.ts'

const dimension = 384
const searched = 'searched'
const incoming = 'incoming'
const uploaders = 4
const batch = 100
const settledMs = 1_000

type Ingest = { readonly port: number; readonly request: () => Request; readonly vectorsPerSecond: number }

/**
 * Sends batches at a steady rate over a few connections until `stop`, which resolves to the vectors sent per second.
 */
const startIngest = ({ port, request, vectorsPerSecond }: Ingest) => {
  const everyMs = (batch * 1_000) / vectorsPerSecond
  const from = performance.now()
  let next = 0
  let done = 0
  let isOver = false
  const upload = async () => {
    const connection = await connectTo(port)
    const { bytes, refresh } = request()
    try {
      while (!isOver) {
        const dueAt = from + next * everyMs
        next += 1
        await pause(Math.max(0, dueAt - performance.now()))
        refresh()
        const { status, body } = await connection.send(bytes)
        if (status !== 201) throw new Error(`uploading answered ${status}: ${body}`)
        done += batch
      }
    } finally {
      connection.close()
    }
  }
  const ended = Promise.all(Array.from({ length: uploaders }, upload))
  // `stop` reports a failure by rejecting; until then the rejection must not end the process.
  ended.catch(() => undefined)
  return {
    stop: async (): Promise<number> => {
      isOver = true
      await ended
      return (done * 1_000) / (performance.now() - from)
    },
  }
}

export const row: Row = {
  name: 'cluster-P9',
  what: 'search during sustained ingest at half the maximum, against search in an idle cluster',
  method: `10,000 vectors of ${dimension} dimensions in one namespace are searched by one client, 400 searches a round; meanwhile ${uploaders} clients upload vectors with 1 KB of text to another one, in batches of ${batch}, at half the rate they reach by themselves. Over the MongoDB-compatible stand-in and the facade over Qdrant's engine, which carries out one call at a time; everything shares both cores. What is uploaded stays, so later rounds search a larger index, on both sides alike.`,
  figures: [
    { name: 'p50', unit: 'ms', digits: 1 },
    { name: 'p99', unit: 'ms', digits: 1 },
    { name: 'ingest', unit: 'vectors/s', digits: 0 },
  ],
  comparisons: [
    {
      what: 'p99 during ingest ÷ p99 idle (stand-in, facade)',
      figure: 'p99',
      sides: ['during ingest', 'idle'],
      as: 'ratio',
    },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      const data = clusteredData({ rows: context.quick ? 1_000 : 10_000, dimension, queries: context.quick ? 40 : 400 })
      for (const name of [searched, incoming]) await createNamespace(product, name, dimension)
      await fillNamespace(product, searched, data.rows)
      const vectors = data.rows.slice(0, batch).map(({ vector }) => vector)
      const request = () => vectorUploadRequest({ ...product, namespace: incoming }, vectors)
      const milliseconds = context.quick ? 1_000 : 6_000
      const unlimited = await putLoad({
        port: product.port,
        connections: uploaders,
        milliseconds,
        request,
        status: 201,
      })
      const maximum = (unlimited.done * batch) / unlimited.seconds
      if (maximum === 0) throw new Error(`not one upload was answered within ${milliseconds} ms`)
      const searches = data.queries.map((vector) =>
        searchRequest({ apiKey: product.apiKey, namespace: searched }, vector),
      )
      const search = async () => {
        const { times } = await sendAll(product.port, 1, searches)
        return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
      }
      const searchWhileIngesting = async () => {
        const ingest = startIngest({ port: product.port, request, vectorsPerSecond: maximum / 2 })
        await pause(settledMs)
        const figures = await search()
        return { ...figures, ingest: await ingest.stop() }
      }
      return {
        sides: [
          { name: 'during ingest', round: searchWhileIngesting },
          { name: 'idle', round: async () => ({ ...(await search()), ingest: 0 }) },
        ],
        close: product.close,
      }
    }),
}
