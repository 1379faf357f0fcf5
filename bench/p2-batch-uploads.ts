import { putLoad } from './harness/http-load.ts'
import { startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { rateOf, startSubject } from './harness/subject.ts'
import { uploadRequest } from './harness/upload-request.ts'
import type { RawLoad, RawOptions } from './subjects/raw-sqlite.ts'

const callers = 8
const batch = 100

export const row: Row = {
  name: 'P2',
  what: 'documents acknowledged with 202, against raw inserts of the same rows',
  method: `${callers} clients, ${batch} new documents of 1 KB a request over HTTP, ingestion paused; against ${callers} callers that hand ${batch} rows of the same table to one writer thread, a transaction each. WAL and synchronous=FULL on both sides.`,
  pinned: true,
  warmUps: 2,
  figures: [
    { name: 'rate', unit: 'documents/s', digits: 0 },
    { name: 'cpu', unit: 'CPU µs per document', digits: 1 },
  ],
  marks: [{ what: 'product ÷ raw inserts', figure: 'rate', sides: ['product', 'raw inserts'], atLeast: 0.5 }],
  open: async (context) => {
    const milliseconds = context.quick ? 500 : 3_000
    const product = await startProduct(context, { embedder: 'lexical', ingestionPaused: true })
    const raw = await startSubject('raw-sqlite', context, {
      directory: context.directory,
    } satisfies RawOptions)
    const request = () => uploadRequest(product, batch)
    const uploaded = async () => {
      const { done, seconds } = await putLoad({
        port: product.port,
        connections: callers,
        milliseconds,
        request,
        status: 202,
      })
      return { done: done * batch, seconds }
    }
    const inserted = async () => {
      const load: RawLoad = { callers, rowsPerCall: batch, milliseconds }
      return { done: await raw.ask<number>('load', load), seconds: milliseconds / 1_000 }
    }
    return {
      sides: [
        { name: 'product', round: () => rateOf(product.subject, uploaded) },
        { name: 'raw inserts', round: () => rateOf(raw, inserted) },
      ],
      close: async () => {
        await product.subject.close()
        await raw.close()
      },
    }
  },
}
