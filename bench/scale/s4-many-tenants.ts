import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { connectApi } from '../harness/api-client.ts'
import { steadyPercentiles } from '../harness/latencies.ts'
import { type OpenSide, openSides } from '../harness/open-sides.ts'
import { startProduct } from '../harness/product.ts'
import { residentMb } from '../harness/resident-memory.ts'
import type { Context, Row } from '../harness/row.ts'
import { searchRequest } from '../harness/upload-request.ts'
import { clusteredData } from '../vector-index/data.ts'

const dimension = 384
const total = 100_000
const searches = 2_000
const counts = [1, 100, 10_000] as const
const maxVectors = 100
const nameOf = (count: number) => `${count.toLocaleString('en')} namespaces`

/** Opens a product whose vectors are spread evenly over this number of namespaces. */
const openSide = async (context: Context, given: number): Promise<OpenSide> => {
  const directory = mkdtempSync(join(context.directory, 'data-'))
  const product = await startProduct({ ...context, directory }, { embedder: 'stub' })
  const [rows, count] = context.quick ? [total / 100, Math.min(given, 100)] : [total, given]
  const data = clusteredData({ rows, dimension, queries: searches })
  const share = rows / count
  const api = await connectApi(product)
  try {
    for (let number = 0; number < count; number += 1) {
      await api.call('POST', '/v1/namespaces', 201, {
        namespace_name: `n${number}`,
        type: 'vector',
        vector_dimension: dimension,
      })
      const own = data.rows.slice(number * share, (number + 1) * share)
      for (let from = 0; from < own.length; from += maxVectors) {
        const vectors = own.slice(from, from + maxVectors).map(({ id, vector }) => ({ id, vector: Array.from(vector) }))
        await api.call('POST', `/v1/namespaces/n${number}/vectors`, 201, { vectors })
      }
    }
  } finally {
    api.close()
  }
  const requests = data.queries.map((vector, index) =>
    searchRequest({ ...product, namespace: `n${(index * 7_919) % count}` }, vector),
  )
  return {
    name: nameOf(given),
    round: async () => {
      const [p50, p95] = (await steadyPercentiles(product.port, 1, requests, { shares: [0.5, 0.95] })) as [
        number,
        number,
      ]
      return { p50, p95, memory: residentMb(product.subject.pid) }
    },
    close: product.subject.close,
  }
}

const largest = counts[counts.length - 1] as number

export const row: Row = {
  name: 'S4',
  what: 'the same vectors in one namespace, in a hundred and in ten thousand',
  method: `One process for each side with ${total.toLocaleString('en')} vectors of ${dimension} dimensions, ${searches} searches a round by one client, each in one namespace, all namespaces in turn, percentiles the medians of those of five slices. Memory is VmRSS after the round.`,
  pinned: false,
  warmUps: 1,
  figures: [
    { name: 'p50', unit: 'ms', digits: 2 },
    { name: 'p95', unit: 'ms', digits: 2 },
    { name: 'memory', unit: 'MiB resident', digits: 1 },
  ],
  marks: counts.slice(1).flatMap((count) => [
    {
      what: `search p95: ${nameOf(count)} ÷ one`,
      figure: 'p95',
      sides: [nameOf(count), nameOf(1)] as const,
      atMost: 1.5,
    },
    ...(count === largest
      ? [
          {
            what: `memory: ${nameOf(count)} ÷ one`,
            figure: 'memory',
            sides: [nameOf(count), nameOf(1)] as const,
            atMost: 1.3,
          },
        ]
      : []),
  ]),
  open: (context) => openSides(counts, (one) => openSide(context, one)),
}
