import { setTimeout as pause } from 'node:timers/promises'
import { connectApi } from '../harness/api-client.ts'
import { withCluster } from '../harness/cluster.ts'
import { newIds } from '../harness/documents.ts'
import { startEmbeddingServer } from '../harness/embedding-server.ts'
import { missingEngines } from '../harness/engines.ts'
import { makeNamespace } from '../harness/namespaces.ts'
import type { Context, Mark, Measured, Row } from '../harness/row.ts'
import { kilobyte } from '../harness/upload-request.ts'

const namespace = 'bench'
const delayMs = 200
const dimension = 128
const workers = [1, 2, 4, 8] as const
const nameOf = (count: number) => (count === 1 ? '1 worker' : `${count} workers`)
const waitUntilMs = 60_000

/** A cluster with so many workers and more uploads than they can work off: how many texts they have embedded in a stretch of time. */
const measure = async (context: Context, count: number): Promise<Measured> => {
  const seconds = context.quick ? 4 : 20
  const model = await startEmbeddingServer(dimension, delayMs)
  const env = {
    CAIRN_KAFKA_PARTITIONS: '8',
    CAIRN_INGESTION_CONCURRENCY: '1',
    CAIRN_EMBEDDER: 'openai',
    CAIRN_OPENAI_URL: model.url,
    CAIRN_OPENAI_MODEL: 'stub',
    CAIRN_OPENAI_DIMENSION: String(dimension),
  }
  try {
    const opened = await withCluster(context, { replicas: { ingestion: count }, env }, async (product) => {
      await makeNamespace(product, namespace)
      const round = async (): Promise<Measured> => {
        // Half as many again as are due, and those for which the workers have their time to begin.
        const uploads = Math.ceil(((seconds + 20) * count * 1_000 * 1.5) / delayMs)
        const api = await connectApi(product)
        try {
          for (const id of newIds(uploads)) {
            await api.call('POST', `/v1/namespaces/${namespace}/documents`, 202, { documents: [{ id, text: kilobyte.slice(0, 200) }] })
          }
        } finally {
          api.close()
        }
        const from = performance.now()
        while (model.embedded() < 2 * count) {
          if (performance.now() - from > waitUntilMs) throw new Error('the workers have not begun')
          await pause(50)
        }
        const [before, since] = [model.embedded(), performance.now()]
        await pause(seconds * 1_000)
        const done = model.embedded() - before
        if (model.embedded() >= uploads) throw new Error('the uploads were too few')
        return { rate: (done * 1_000) / (performance.now() - since) }
      }
      return { name: nameOf(count), round, close: product.close }
    })
    try {
      return await opened.round()
    } finally {
      await opened.close()
    }
  } finally {
    await model.close()
  }
}

export const row: Row = {
  name: 'cluster-S3',
  what: 'one, two, four and eight ingestion workers on a model that takes 200 ms a call',
  method: `A cluster for each round, 8 partitions, each worker an ingestion process that works on one upload at a time, uploads of one document, one call of ${delayMs} ms to a server with OpenAI's API that does no work; more uploads wait than can be worked off. Rate: texts embedded in 20 s from when every worker can have begun. Only what waits can be shared out on two cores.`,
  pinned: false,
  warmUps: 0,
  figures: [{ name: 'rate', unit: 'documents/s', digits: 2 }],
  marks: workers.slice(1).map(
    (count): Mark => ({
      what: `${nameOf(count)} ÷ one`,
      figure: 'rate',
      sides: [nameOf(count), nameOf(1)],
      atLeast: 0.9 * count,
    }),
  ),
  missing: missingEngines,
  open: async (context) => ({
    sides: workers.map((count) => ({ name: nameOf(count), round: () => measure(context, count) })),
    close: async () => {},
  }),
}
