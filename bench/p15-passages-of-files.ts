import { Readable } from 'node:stream'
import { slices } from '@cairn/contracts/flow/slices'
import { createMaterial } from '@cairn/testing/material/create-material'
import { sendFile, untilCompleted } from './files/send-file.ts'
import { sendDocuments, untilIndexed } from './harness/documents.ts'
import { latencyFigures, steadyLatencies } from './harness/latencies.ts'
import { createNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import type { Row, Side } from './harness/row.ts'
import { jsonRequest } from './harness/upload-request.ts'

const files = 4
const sentencesPerFile = 10_000
/** About the number of sentences in a chunk. */
const sentencesPerDocument = 12
const searches = 1_000
const nearest = 10
const withinMs = 600_000

export const row: Row = {
  name: 'P15',
  what: 'a search that brings passages of files, against one that brings documents of the same texts',
  method: `${files} made text files of ${sentencesPerFile} sentences in one namespace, the same sentences as documents of ${sentencesPerDocument} in another, one process with the lexical embedder; ${searches} searches a round by one client for sentences of the files, top ${nearest}, percentiles the medians of those of five slices.`,
  figures: latencyFigures,
  marks: [
    { what: 'passages of files ÷ documents, p95', figure: 'p95', sides: ['files', 'documents'] as const, atMost: 1.3 },
  ],
  open: async (context) => {
    const sentences = context.quick ? 200 : sentencesPerFile
    const material = await Promise.all(
      Array.from({ length: files }, (_, seed) => createMaterial('txt', seed + 1, { sentences })),
    )
    const product = await startProduct(context, { embedder: 'lexical' })
    const { apiKey } = product
    await createNamespace(product, 'files')
    for (const [number, { bytes }] of material.entries()) {
      const sent = { sizeBytes: bytes.length, body: () => Readable.from([bytes]) }
      await sendFile(product, 'files', `${number}.txt`, sent)
    }
    for (const number of material.keys()) await untilCompleted(product, 'files', `${number}.txt`, withinMs)

    await createNamespace(product, 'documents')
    const texts = material.flatMap(({ truth }) => truth.sentences.map(({ text }) => text))
    const documents = slices(texts, sentencesPerDocument).map((some) => some.join(' '))
    const target = { ...product, namespace: 'documents' }
    const ids = [...documents.keys()].map(String)
    await untilIndexed(target, await sendDocuments(target, ids, (_, index) => ({ text: documents[index] })), {
      withinMs,
    })

    const step = Math.max(1, Math.floor(texts.length / searches))
    const queries = texts.filter((_, number) => number % step === 0).slice(0, searches)
    const side = (name: string): Side => {
      const requests = queries.map((query) =>
        jsonRequest('POST', '/v1/search', apiKey, { query, namespaces: [name], top_k: nearest }),
      )
      return { name, round: () => steadyLatencies(product.port, requests) }
    }
    return { sides: [side('files'), side('documents')], close: product.subject.close }
  },
}
