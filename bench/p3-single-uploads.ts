import { putLoad, sendOnce } from './harness/http-load.ts'
import { startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { rateOf, startSubject } from './harness/subject.ts'
import { uploadRequest } from './harness/upload-request.ts'
import type { BareOptions } from './subjects/bare-express.ts'

const connections = 64

export const row: Row = {
  name: 'P3',
  what: 'uploads of one document at 64 connections: group commit, and the rate against bare Express',
  method: `${connections} connections, one new document of 1 KB a request, ingestion paused; against Express 5 with its JSON parser that answers the same requests with the same body. Commits are those of the record store, all of them.`,
  pinned: true,
  warmUps: 2,
  figures: [
    { name: 'rate', unit: 'requests/s', digits: 0 },
    { name: 'cpu', unit: 'CPU µs per request', digits: 0 },
    { name: 'commits', unit: 'commits per document', digits: 3 },
  ],
  marks: [
    { what: 'commits per acknowledged document', figure: 'commits', sides: ['product'], atMost: 0.25 },
    { what: 'product ÷ bare Express', figure: 'rate', sides: ['product', 'bare Express'], atLeast: 0.4 },
  ],
  open: async (context) => {
    const milliseconds = context.quick ? 500 : 3_000
    const product = await startProduct(context, { embedder: 'lexical', ingestionPaused: true })
    const request = () => uploadRequest(product, 1)
    const first = request()
    first.refresh()
    const { status, body } = await sendOnce(product.port, first.bytes)
    const bare = await startSubject('bare-express', context, {
      method: 'post',
      path: `/v1/namespaces/${product.namespace}/documents`,
      status,
      answer: JSON.parse(body.toString()) as object,
    } satisfies BareOptions)
    const port = await bare.ask<number>('port')
    const load = (to: number) => () => putLoad({ port: to, connections, milliseconds, request, status })
    return {
      sides: [
        {
          name: 'product',
          round: async () => {
            const before = await product.subject.ask<number>('commits')
            const figures = await rateOf(product.subject, load(product.port))
            const commits = (await product.subject.ask<number>('commits')) - before
            return { ...figures, commits: commits / (figures.rate * (milliseconds / 1_000)) }
          },
        },
        { name: 'bare Express', round: () => rateOf(bare, load(port)) },
      ],
      close: async () => {
        await product.subject.close()
        await bare.close()
      },
    }
  },
}
