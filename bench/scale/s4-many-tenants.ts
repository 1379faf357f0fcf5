import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { slices } from '@cairn/contracts/flow/slices'
import { callApi } from '../harness/api-client.ts'
import { latencyFigures, steadyLatencies } from '../harness/latencies.ts'
import { createNamespace } from '../harness/namespaces.ts'
import { type OpenSide, openSides } from '../harness/open-sides.ts'
import { startProduct } from '../harness/product.ts'
import { residentMb } from '../harness/resident-memory.ts'
import type { Context, Row } from '../harness/row.ts'
import { searchRequest } from '../harness/upload-request.ts'
import { clusteredData } from '../vector-index/data.ts'

const dimension = 384
const total = 100_000
const maxVectors = 100
const searches = 2_000
const counts = [1, 100, 10_000] as const
const nameOf = (count: number) => `${count.toLocaleString('en')} namespaces`

/** Opens a product whose vectors are spread evenly over this number of namespaces. */
const openSide = async (context: Context, given: number): Promise<OpenSide> => {
  const directory = mkdtempSync(join(context.directory, 'data-'))
  const product = await startProduct({ ...context, directory }, { embedder: 'stub' })
  const [rows, count] = context.quick ? [total / 100, Math.min(given, 100)] : [total, given]
  const data = clusteredData({ rows, dimension, queries: searches })
  const share = rows / count
  for (let number = 0; number < count; number += 1) {
    const name = `n${number}`
    await createNamespace(product, name, dimension)
    const vectors = data.rows
      .slice(number * share, (number + 1) * share)
      .map(({ id, vector }) => ({ id, vector: Array.from(vector) }))
    for (const some of slices(vectors, maxVectors))
      await callApi(product, 'POST', `/v1/namespaces/${name}/vectors`, 201, { vectors: some })
  }
  const requests = data.queries.map((vector, index) =>
    searchRequest({ ...product, namespace: `n${(index * 7_919) % count}` }, vector),
  )
  return {
    name: nameOf(given),
    round: async () => ({
      ...(await steadyLatencies(product.port, requests)),
      memory: residentMb(product.subject.pid),
    }),
    close: product.subject.close,
  }
}

const largest = counts[counts.length - 1] as number

export const row: Row = {
  name: 'S4',
  what: 'the same vectors in one namespace, in a hundred and in ten thousand',
  method: `One process for each side with ${total.toLocaleString('en')} vectors of ${dimension} dimensions, ${searches} searches a round by one client, each in one namespace, all namespaces in turn, percentiles the medians of those of five slices. Memory is VmRSS after the round.`,
  figures: [...latencyFigures, { name: 'memory', unit: 'MiB resident', digits: 1 }],
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
