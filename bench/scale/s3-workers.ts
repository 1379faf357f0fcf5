import { setTimeout as pause } from 'node:timers/promises'
import { withApi } from '../harness/api-client.ts'
import { withCluster } from '../harness/cluster.ts'
import { newIds } from '../harness/documents.ts'
import { startEmbeddingServer } from '../harness/embedding-server.ts'
import { missingEngines } from '../harness/engines.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Context, Mark, Measured, Row } from '../harness/row.ts'
import { kilobyte } from '../harness/upload-request.ts'

const namespace = 'bench'
const delayMs = 200
const dimension = 128
const workers = [1, 2, 4, 8] as const
const nameOf = (count: number) => (count === 1 ? '1 worker' : `${count} workers`)
const waitUntilMs = 60_000

/**
 * Measures the texts embedded per second by a cluster with `count` workers. The model holds its responses until each
 * worker has an upload and the queue is longer than the workers can process; otherwise uploads would compete with the
 * workers for the two cores.
 */
const measure = async (context: Context, count: number): Promise<Measured> => {
  const seconds = context.quick ? 4 : 10
  const model = await startEmbeddingServer(dimension, delayMs)
  const env = {
    CAIRN_KAFKA_PARTITIONS: '8',
    CAIRN_INGESTION_CONCURRENCY: '1',
    CAIRN_EMBEDDER: 'openai',
    CAIRN_OPENAI_URL: model.url,
    CAIRN_OPENAI_MODEL: 'stub',
    CAIRN_OPENAI_DIMENSION: String(dimension),
    CAIRN_OPENAI_TIMEOUT_MS: '300000',
  }
  try {
    const opened = await withCluster(context, { replicas: { ingestion: count }, env }, async (product) => {
      await createNamespace(product, namespace)
      const round = async (): Promise<Measured> => {
        const uploads = Math.ceil(((seconds + 3) * count * 1_000) / delayMs)
        model.hold()
        await withApi(product, async (api) => {
          for (const id of newIds(uploads)) {
            // Equal texts would be embedded only once.
            const documents = [{ id, text: `${id} ${kilobyte.slice(0, 200)}` }]
            await api.call('POST', `/v1/namespaces/${namespace}/documents`, 202, { documents })
          }
        })
        const from = performance.now()
        while (model.waiting() < count) {
          if (performance.now() - from > waitUntilMs) throw new Error('the workers have not begun')
          await pause(50)
        }
        model.release()
        await pause(1_000)
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
  method: `A cluster for each round, 8 partitions, each worker an ingestion process that works on one upload at a time, uploads of one document, one call of ${delayMs} ms to a server with OpenAI's API that does no work. It answers nothing until all uploads are queued, more than can be worked off. Rate: texts embedded in 10 s, from one second after it began to answer. Only what waits can be shared out on two cores.`,
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
  }),
}
