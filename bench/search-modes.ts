import { slices } from '@cairn/contracts/flow/slices'
import { groupDigits } from '@cairn/contracts/text/group-digits'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import { type DocumentTarget, sendDocuments, untilIndexed } from './harness/documents.ts'
import { latencyFigures, steadyLatencies } from './harness/latencies.ts'
import { startProduct } from './harness/product.ts'
import type { Row, Side } from './harness/row.ts'
import { jsonRequest } from './harness/upload-request.ts'

const documentsAtOnce = 5_000
const withinMs = 1_800_000
const modes = ['hybrid', 'semantic', 'lexical'] as const

const vocabulary = 50_000
const wordsOfDocument = { from: 20, to: 100 }
const wordsOfQuery = 5

/**
 * Returns this number of random words. The product of two uniform numbers makes few words frequent and most rare, as in
 * any language.
 */
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => `w${random.below(1 + random.below(vocabulary)).toString(36)}`).join(' ')

const upload = async (target: DocumentTarget, count: number): Promise<void> => {
  const random = seededRandom(1)
  const documentOf = (id: string) => ({
    text: words(random, wordsOfDocument.from + random.below(1 + wordsOfDocument.to - wordsOfDocument.from)),
    code: `c-${id}`,
  })
  const ids = Array.from({ length: count }, (_, index) => String(index))
  for (const some of slices(ids, documentsAtOnce))
    await untilIndexed(target, await sendDocuments(target, some, documentOf), { withinMs })
}

type Size = {
  readonly name: string
  readonly documents: number
  readonly embedder: 'local' | 'lexical'
  readonly remark: string
}

const rowOf = ({ name, documents, embedder, remark }: Size): Row => ({
  name,
  what: 'search by meaning, by words, by both, by both for the top 100, and with a filter that one document passes; one process',
  method: `${groupDigits(documents)} documents of ${wordsOfDocument.from} to ${wordsOfDocument.to} words, few of the ${groupDigits(vocabulary)} frequent and most rare; 500 queries of ${wordsOfQuery} words a round by one client, top 10. ${remark}`,
  figures: latencyFigures,
  marks: [
    ...(['lexical', 'hybrid'] as const).flatMap((mode) =>
      (['p50', 'p95'] as const).map((figure) => ({
        what: `${mode} ÷ semantic, ${figure}`,
        figure,
        sides: [mode, 'semantic'] as const,
        atMost: 1.3,
      })),
    ),
    { what: 'filter of one match ÷ hybrid, p95', figure: 'p95', sides: ['filter', 'hybrid'], atMost: 1.5 },
  ],
  open: async (context) => {
    const count = context.quick ? 2_000 : documents
    const product = await startProduct(context, { embedder })
    const { apiKey, port, namespace } = product
    await upload(product, count)
    const random = seededRandom(2)
    const queries = Array.from({ length: context.quick ? 50 : 500 }, () => words(random, wordsOfQuery))
    const side = (name: string, more: object): Side => {
      const requests = queries.map((query) =>
        jsonRequest('POST', '/v1/search', apiKey, { query, namespaces: [namespace], ...more }),
      )
      return { name, round: () => steadyLatencies(port, requests) }
    }
    const filter = { key: 'code', eq: `c-${count / 2}` }
    return {
      sides: [
        ...modes.map((mode) => side(mode, { mode })),
        side('hybrid, top 100', { mode: 'hybrid', top_k: 100 }),
        side('filter', { filter }),
      ],
      close: product.subject.close,
    }
  },
})

export const row = rowOf({
  name: 'P18',
  documents: 100_000,
  embedder: 'lexical',
  remark: 'The lexical embedder, so that no model hides what the modes cost.',
})

export const modelRow = rowOf({
  name: 'P18-model',
  documents: 5_000,
  embedder: 'local',
  remark: 'The default model, whose time is part of searches by meaning and by both.',
})
