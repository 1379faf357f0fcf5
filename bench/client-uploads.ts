import { Cairn } from '@cairn/client'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { slices } from '@cairn/contracts/flow/slices'
import { newIds } from './harness/documents.ts'
import { startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { kilobyte } from './harness/upload-request.ts'

const batch = 50
const connections = 4

export const row: Row = {
  name: 'client-uploads',
  what: 'documents uploaded through @cairn/client, against requests of the same size by fetch',
  method: `10,000 new documents of 1 KB, ${batch} a request, ${connections} requests at once, ingestion paused; both sides make the same JSON in the process that measures. fetch: as a program without a client would.`,
  figures: [{ name: 'rate', unit: 'documents/s', digits: 0 }],
  marks: [{ what: 'client ÷ fetch', figure: 'rate', sides: ['client', 'fetch'], atLeast: 0.9 }],
  open: async (context) => {
    const count = context.quick ? 1_000 : 10_000
    const product = await startProduct(context, { embedder: 'lexical', ingestionPaused: true })
    const { namespace, apiKey, port } = product
    const documents = () => newIds(count).map((id) => ({ id, text: `${id} ${kilobyte}`, source: 'bench' }))
    const rateOf = async (upload: (sent: ReturnType<typeof documents>) => Promise<void>) => {
      const sent = documents()
      const from = performance.now()
      await upload(sent)
      return { rate: count / ((performance.now() - from) / 1_000) }
    }
    const byClient = async (sent: ReturnType<typeof documents>): Promise<void> => {
      const cairn = new Cairn({ url: `http://127.0.0.1:${port}`, apiKey })
      const { accepted } = await cairn.documents.upload(namespace, sent, { batchSize: batch, concurrency: connections })
      if (accepted !== count) throw new Error(`${accepted} of ${count} documents were accepted`)
    }
    const byFetch = async (sent: ReturnType<typeof documents>): Promise<void> => {
      await atOnce(connections, [...slices(sent, batch)], async (some) => {
        const response = await fetch(`http://127.0.0.1:${port}/v1/namespaces/${namespace}/documents`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
          body: JSON.stringify({ documents: some }),
        })
        const answer = (await response.json()) as { readonly documents_processed: number }
        if (answer.documents_processed !== some.length) throw new Error(JSON.stringify(answer))
      })
    }
    return {
      sides: [
        { name: 'client', round: () => rateOf(byClient) },
        { name: 'fetch', round: () => rateOf(byFetch) },
      ],
      close: () => product.subject.close(),
    }
  },
}
