import { setTimeout as pause } from 'node:timers/promises'
import { withApi } from '../harness/api-client.ts'
import { type ClusterProduct, withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { connectTo } from '../harness/http-load.ts'
import { percentile } from '../harness/judge.ts'
import { createNamespace, fillNamespace } from '../harness/namespaces.ts'
import { openRawItems } from '../harness/raw-items.ts'
import { openRawPoints } from '../harness/raw-points.ts'
import type { Figure, Measured, Row } from '../harness/row.ts'
import { searchRequest } from '../harness/upload-request.ts'
import { clusteredData, type Data } from '../vector-index/data.ts'

/** Small, so that filling takes minutes and not an hour; the cost of a deletion depends on the number of items. */
const dimension = 16
const shares = [0.1, 0.3, 1] as const
const text = 'a stone beside the path'
const doomed = 'doomed'
const others = 'others'
const askEveryMs = 20
const searchEveryMs = 50
const searchesBefore = 200
const freeWithinMs = 900_000

const free = (share: number) => `free, ${share * 100} %`

/** Searches at a steady rate, like a user, until `isOver`; resolves to the milliseconds of each search. */
const searchUntil = async (
  port: number,
  requests: readonly Buffer[],
  isOver: (searches: number) => boolean,
): Promise<number[]> => {
  const connection = await connectTo(port)
  const times: number[] = []
  try {
    while (!isOver(times.length)) {
      const from = performance.now()
      const { status, body } = await connection.send(requests[times.length % requests.length] as Buffer)
      times.push(performance.now() - from)
      if (status !== 200) throw new Error(`searching answered ${status}: ${body}`)
      await pause(Math.max(0, searchEveryMs - (performance.now() - from)))
    }
  } finally {
    connection.close()
  }
  return times
}

/**
 * Deletes the namespace and recreates it as soon as its name is free. Resolves to the milliseconds until the response
 * and until the name was free.
 */
const deleteNamespace = (product: ClusterProduct): Promise<{ readonly answered: number; readonly freed: number }> => {
  return withApi(product, async (api) => {
    const from = performance.now()
    await api.call('DELETE', `/v1/namespaces/${doomed}`, 202)
    const answered = performance.now() - from
    const again = { namespace_name: doomed, type: 'vector', vector_dimension: dimension }
    for (;;) {
      const status = await api.status('POST', '/v1/namespaces', again)
      const freed = performance.now() - from
      if (status === 201) return { answered, freed }
      if (status !== 409) throw new Error(`creating the namespace again answered ${status}`)
      if (freed > freeWithinMs) throw new Error('the name has not become free')
      await pause(askEveryMs)
    }
  })
}

const sizesOf = (data: Data) => shares.map((share) => ({ share, rows: data.rows.slice(0, data.rows.length * share) }))

/** Fills and deletes the namespace at each size. The namespace is empty before and after. */
const measureProduct = async (product: ClusterProduct, data: Data, searches: readonly Buffer[]): Promise<Measured> => {
  const figures: Record<string, number> = {}
  const answers: number[] = []
  for (const { share, rows } of sizesOf(data)) {
    await fillNamespace(product, doomed, rows, text)
    const before = await searchUntil(product.port, searches, (count) => count >= searchesBefore)
    let isOver = false
    const searching = searchUntil(product.port, searches, () => isOver)
    const { answered, freed } = await deleteNamespace(product).finally(() => (isOver = true))
    const meanwhile = await searching
    answers.push(answered)
    figures[free(share)] = freed
    figures['search before'] = percentile(before, 0.95)
    figures['search meanwhile'] = percentile(meanwhile, 0.95)
  }
  const [smallest, largest] = [shares[0], shares[shares.length - 1] as number]
  return {
    ...figures,
    answer: Math.max(...answers),
    slope: (figures[free(largest)] as number) / (figures[free(smallest)] as number) / (largest / smallest),
    'search ratio': (figures['search meanwhile'] as number) / (figures['search before'] as number),
  }
}

type RawStores = {
  readonly items: Awaited<ReturnType<typeof openRawItems>>
  readonly points: Awaited<ReturnType<typeof openRawPoints>>
}

const measureRaw = async ({ items, points }: RawStores, data: Data): Promise<Measured> => {
  const figures: Record<string, number> = {}
  for (const { share, rows } of sizesOf(data)) {
    await items.fill(rows.length)
    await points.fill(rows.map(({ vector }) => vector))
    const from = performance.now()
    await items.removeAll()
    const between = performance.now()
    await points.removeAll()
    figures[free(share)] = performance.now() - from
    figures['rows alone'] = between - from
  }
  return figures
}

const figures: readonly Figure[] = [
  { name: 'answer', unit: 'ms, slowest of three', digits: 1 },
  ...shares.map((share) => ({ name: free(share), unit: 'ms', digits: 0 })),
  { name: 'slope', unit: 'cost per item, × least', digits: 2 },
  { name: 'search before', unit: 'ms p95', digits: 1 },
  { name: 'search meanwhile', unit: 'ms p95', digits: 1 },
  { name: 'search ratio', unit: '×', digits: 2 },
  { name: 'rows alone', unit: 'ms of 100 %', digits: 0 },
]

export const row: Row = {
  name: 'cluster-P12',
  what: "a namespace is deleted in a cluster, against deleting the same from the MongoDB-compatible stand-in and the facade over Qdrant's engine",
  method: `100 % are 20,000 vectors of ${dimension} dimensions with a short text. From the request until the name can be had again, asked every ${askEveryMs} ms; slope: what an item costs at 100 % over what it costs at 10 %. Another account, with 2,000 vectors in the same collection, searches every ${searchEveryMs} ms before and during the deletion of each size; the figures are of the last. Raw: as many copies of a row, removed by one command; then as many points, removed by their ids, 1,000 a request. Everything shares both cores.`,
  warmUps: 0,
  figures,
  comparisons: shares.map((share) => ({
    what: `until the name is free ÷ raw deletes (stand-in, facade), ${share * 100} %`,
    figure: free(share),
    sides: ['cluster', 'raw, stand-in and facade'] as const,
    as: 'ratio' as const,
  })),
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      const data = clusteredData({ rows: context.quick ? 1_000 : 20_000, dimension })
      await createNamespace(product, doomed, dimension)
      const other = { ...product, apiKey: await product.addAccount('bench') }
      await createNamespace(other, others, dimension)
      await fillNamespace(other, others, data.rows.slice(0, context.quick ? 100 : 2_000), text)
      const searches = data.queries.map((vector) => searchRequest({ apiKey: other.apiKey, namespace: others }, vector))
      const raw: RawStores = {
        items: await openRawItems(product.settings),
        points: await openRawPoints(product.settings, dimension),
      }
      return {
        sides: [
          { name: 'cluster', round: () => measureProduct(product, data, searches) },
          { name: 'raw, stand-in and facade', round: () => measureRaw(raw, data) },
        ],
        close: async () => {
          await raw.items.close()
          await product.close()
        },
      }
    }),
}
