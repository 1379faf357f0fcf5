import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loneDocumentFigures, measureLoneDocuments } from './harness/lone-document.ts'
import { startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'

export const row: Row = {
  name: 'P13',
  what: 'a lone document in an idle system: from its 202 until a search finds it',
  method:
    'One document of 1 KB at a time, a stub model that answers at once, all in one process; asked for by search again and again until it is a hit, so that a figure holds at least one search.',
  pinned: true,
  figures: loneDocumentFigures,
  marks: [
    { what: '202 to searchable, p95', figure: 'p95', sides: ['product'], atMost: 100 },
    { what: 'the same with every message lost, p95', figure: 'p95', sides: ['messages lost'], atMost: 6_000 },
  ],
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'stub' })
    const directory = join(context.directory, 'messages-lost')
    mkdirSync(directory)
    const deaf = await startProduct({ ...context, directory }, { embedder: 'stub', messagesLost: true })
    const documents = context.quick ? 10 : 60
    return {
      sides: [
        { name: 'product', round: () => measureLoneDocuments(product, documents) },
        // Each document waits for the next poll for due jobs, about a second.
        { name: 'messages lost', round: () => measureLoneDocuments(deaf, documents / 4) },
      ],
      close: async () => {
        await deaf.subject.close()
        await product.subject.close()
      },
    }
  },
}
