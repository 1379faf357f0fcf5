import { slices } from '@cairn/contracts/slices'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import { type ApiAddress, connectApi } from './harness/api-client.ts'
import { withCluster } from './harness/cluster.ts'
import { diskUsage } from './harness/disk-usage.ts'
import { untilIndexed } from './harness/documents.ts'
import { missingEngines } from './harness/engines.ts'
import { steadyPercentiles } from './harness/latencies.ts'
import { createNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import type { OpenRow, Row, Side } from './harness/row.ts'
import { jsonRequest } from './harness/upload-request.ts'

const namespace = 'modes'
const documentsPerUpload = 100
const uploadsAtOnce = 50
const withinMs = 1_800_000
const modes = ['hybrid', 'semantic', 'lexical'] as const

const vocabulary = 50_000
const wordsOfDocument = { from: 20, to: 100 }
const wordsOfQuery = 5

/** Ranks of words: the product of two uniform numbers makes few words frequent and most rare, as in any language. */
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => `w${random.below(1 + random.below(vocabulary)).toString(36)}`).join(' ')

const upload = async (address: ApiAddress, count: number): Promise<void> => {
  const random = seededRandom(1)
  const documents = Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    text: words(random, wordsOfDocument.from + random.below(1 + wordsOfDocument.to - wordsOfDocument.from)),
    code: `c-${index}`,
  }))
  const api = await connectApi(address)
  try {
    for (const some of slices(slices(documents, documentsPerUpload), uploadsAtOnce)) {
      const uploads: string[] = []
      for (const body of some.map((documents) => ({ documents }))) {
        const path = `/v1/namespaces/${namespace}/documents`
        uploads.push((await api.call<{ upload_id: string }>('POST', path, 202, body)).upload_id)
      }
      await untilIndexed({ ...address, namespace }, uploads, withinMs)
    }
  } finally {
    api.close()
  }
}

const open = async (address: ApiAddress, quick: boolean, close: () => Promise<void>): Promise<OpenRow> => {
  const count = quick ? 2_000 : 100_000
  await createNamespace(address, namespace)
  await upload(address, count)
  const random = seededRandom(2)
  const queries = Array.from({ length: quick ? 50 : 500 }, () => words(random, wordsOfQuery))
  const side = (name: string, more: object): Side => {
    const requests = queries.map((query) =>
      jsonRequest('POST', '/v1/search', address.apiKey, { query, namespaces: [namespace], ...more }),
    )
    return {
      name,
      round: async () => {
        const [p50 = 0, p95 = 0] = await steadyPercentiles(address.port, 1, requests, { shares: [0.5, 0.95] })
        return { p50, p95 }
      },
    }
  }
  const one = { key: 'code', eq: `c-${count / 2}` }
  return { sides: [...modes.map((mode) => side(mode, { mode })), side('filter', { filter: one })], close }
}

const common: Pick<Row, 'pinned' | 'warmUps' | 'figures' | 'marks'> = {
  pinned: false,
  warmUps: 1,
  figures: [
    { name: 'p50', unit: 'ms', digits: 2 },
    { name: 'p95', unit: 'ms', digits: 2 },
  ],
  marks: [
    { what: 'hybrid ÷ semantic, p95', figure: 'p95', sides: ['hybrid', 'semantic'], atMost: 1.5 },
    { what: 'filter of one match ÷ hybrid, p95', figure: 'p95', sides: ['filter', 'hybrid'], atMost: 1.5 },
  ],
}

const method = `100,000 documents of ${wordsOfDocument.from} to ${wordsOfDocument.to} words, few of the ${vocabulary} frequent and most rare; 500 queries of ${wordsOfQuery} words a round by one client, top 10. The lexical embedder, so that no model hides what the modes cost.`

export const row: Row = {
  ...common,
  name: 'P18',
  what: 'search by meaning, by words, by both, and by both with a filter that one document passes; one process',
  method,
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'lexical' })
    const opened = await open(product, context.quick, product.subject.close)
    const kilobytes = diskUsage(context.directory) / 1_024 / (context.quick ? 2_000 : 100_000)
    process.stderr.write(`  on disk: ${kilobytes.toFixed(2)} KiB a document\n`)
    return opened
  },
}

export const clusterRow: Row = {
  ...common,
  name: 'cluster-P18',
  what: 'the same through the gateway of a cluster',
  method: `${method} The facade over Qdrant's engine has no inverted index: it compares all points of a namespace.`,
  missing: missingEngines,
  open: (context) =>
    withCluster(context, { env: { CAIRN_EMBEDDER: 'lexical' } }, (product) =>
      open(product, context.quick, product.close),
    ),
}
