import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { newIds, sendDocuments } from '../harness/documents.ts'
import { steadyLatencies } from '../harness/latencies.ts'
import { type OpenSide, openSides } from '../harness/open-sides.ts'
import { restartProduct, startProduct } from '../harness/product.ts'
import { residentMb } from '../harness/resident-memory.ts'
import type { Context, Row } from '../harness/row.ts'
import { jsonRequest, kilobyte } from '../harness/upload-request.ts'

const calls = 3_000
const queued = 1_000_000
const empty = 'empty queue'
const full = 'full queue'

const openSide = async (context: Context, name: string, documents: number): Promise<OpenSide> => {
  const directory = mkdtempSync(join(context.directory, 'data-'))
  const own = { ...context, directory }
  const options = { embedder: 'stub', ingestionPaused: true } as const
  const filling = await startProduct(own, options)
  await sendDocuments(filling, newIds(documents))
  // Both sides measure a new process, because one that has just accepted a million documents still has the heap of that
  // work.
  const product = await restartProduct(own, options, filling)
  const { apiKey, namespace, port } = product
  const list = Array.from({ length: calls }, () => jsonRequest('GET', '/v1/namespaces', apiKey))
  const p95 = async (requests: readonly Buffer[], status = 200) =>
    (await steadyLatencies(port, requests, { clients: 4, status })).p95
  return {
    name,
    round: async () => {
      const uploads = newIds(calls).map((id) =>
        jsonRequest('POST', `/v1/namespaces/${namespace}/documents`, apiKey, {
          documents: [{ id, text: `${id} ${kilobyte}` }],
        }),
      )
      return { upload: await p95(uploads, 202), list: await p95(list), memory: residentMb(product.subject.pid) }
    },
    close: product.subject.close,
  }
}

export const row: Row = {
  name: 'S6',
  what: 'the gateway with a queue of a million documents',
  method: `One process for each side, ingestion paused: one with ${queued.toLocaleString('en')} documents of 1 KB that wait, one with none, both started anew after the documents were sent. Four clients, ${calls} uploads of one document and ${calls} lists of namespaces a round, p95 the median of those of five slices. Memory is VmRSS after the round.`,
  warmUps: 4,
  figures: [
    { name: 'upload', unit: 'ms p95 of an upload', digits: 2 },
    { name: 'list', unit: 'ms p95 of a list', digits: 2 },
    { name: 'memory', unit: 'MiB resident', digits: 1 },
  ],
  marks: [
    { what: 'p95 of uploads, full ÷ empty', figure: 'upload', sides: [full, empty], atMost: 1.2 },
    { what: 'p95 of lists, full ÷ empty', figure: 'list', sides: [full, empty], atMost: 1.2 },
    { what: 'memory, full ÷ empty', figure: 'memory', sides: [full, empty], atMost: 1.2 },
  ],
  open: (context) =>
    openSides(
      [
        { name: full, documents: context.quick ? queued / 100 : queued },
        { name: empty, documents: 0 },
      ],
      ({ name, documents }) => openSide(context, name, documents),
    ),
}
