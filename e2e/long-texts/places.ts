import { messagesFor } from '@cairn/adapters/answerer/prompt'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { estimateTokens } from '@cairn/adapters/embedder/openai/estimate-tokens'
import { embedders } from '@cairn/adapters/embedder/registry'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { packPoints } from '@cairn/adapters/vector-index/sqlite'
import { filterOf, parseSearchQuery } from '@cairn/contracts/api/search-query'
import { checkDocuments } from '@cairn/contracts/documents/document-rules'
import { fieldFilterOf } from '@cairn/contracts/documents/metadata-filter'
import { checkVectors } from '@cairn/contracts/documents/vector-rules'
import { checkFileName } from '@cairn/contracts/files/file-rules'
import { searchBody } from '@cairn/contracts/http/search'
import { normaliseId } from '@cairn/contracts/ids'
import { parseExact } from '@cairn/contracts/json/exact-json'
import { limits } from '@cairn/contracts/limits'
import { cosineWeight } from '@cairn/contracts/text/scripts'
import { type Entry, writePoints } from '@cairn/domain/items/write-points'
import type { PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { queryLexemesOf } from '@cairn/domain/text/lexemes'
import { passagesOf } from '@cairn/domain/text/passages'
import { encodePlaces } from '@cairn/domain/text/places'
import { chooseQuote } from '@cairn/domain/text/quotes/choose'
import { questionWords } from '@cairn/domain/text/quotes/question'
import type { Block } from '@cairn/extract/block'
import { cutChunks } from '@cairn/file-pipeline/chunk/cut-chunks'
import { extractiveSummariser } from '@cairn/file-pipeline/chunk/summarise'
import { findMatches } from '@cairn/gateway/documents/find-matches'
import { warningsOfBody } from '@cairn/gateway/search/body-warnings'
import { findHits } from '@cairn/gateway/search/find-hits'
import { highlightsOf } from '@cairn/gateway/search/hit-details'
import { rankingOf, withText } from '@cairn/gateway/search/score-hits'
import { embedItems } from '@cairn/ingestion/embed-items'
import { searchResult } from '@cairn/mcp/results'
import { serializeInTurns } from '@cairn/runtime/http/json-in-turns'
import { createJsonScanner } from '@cairn/runtime/http/json-scan'

export const textWorker = threadTextWorker()
const embedder = lexicalEmbedder()
const words = { lexicalEmbedder: embedder, textWorker }
const models = { embedders: embedders({ current: embedder }), textWorker }
const signal = new AbortController().signal
const steps = { step: <T>(_name: string, call: (signal: AbortSignal) => Promise<T>) => call(signal) }
const space = { key: 'space', dimension: 4 }
/** Model that reads only English, so that the letters of every text are counted. */
const reads = { Latin: 0.9 }

const megabyte = 1_000_000
const whole = (text: string): string => text.slice(0, limits.maxTextLength)
/** A megabyte as texts of documents, the longest of which has 50,000 characters. */
const documents = (text: string): string[] =>
  Array.from({ length: megabyte / limits.maxTextLength }, (_, index) => `${index} ${whole(text)}`.slice(0, -3))
/** Fewer of them, where each takes the text worker a tenth of a second. */
const some = (text: string): string[] => documents(text).slice(0, 4)
const queryOf = (text: string): string => text.slice(0, limits.queryLength).toWellFormed()
const metadataOf = (text: string): string =>
  JSON.stringify({ key: text.slice(0, 500).toWellFormed(), list: [...text.slice(0, 100)] })

/** A box for every two characters of 50,000, more than the words of a scan. */
const placesOfWords = encodePlaces(
  Array.from({ length: 25_000 }, (_, index) => {
    const [start, x0] = [2 * index, (index * 400) % 60_000]
    return { start, end: start + 2, x0, x1: x0 + 300, y0: index, y1: index + 9 }
  }),
)

const hit = (text: string, index: number) => {
  const point: PointAddress = { namespaceId: 'ns', itemId: `${index}`, version: 'v', passage: 3 }
  return {
    id: `${index}`,
    text,
    score: 0.5,
    point,
    embedding: embedder.model,
    explanation: { mode: 'hybrid' as const, semantic: 0.1 },
  }
}
const item = (text: string, index = 0) => ({
  namespaceId: 'ns',
  id: `${index}`,
  version: 'v',
  indexedVersion: 'v',
  body: { text, metadata: metadataOf(text) },
})

/** The index of which only the packing of points runs in this process; the rest is done by its threads. */
const vectors = {
  upsert: async (...input: Parameters<typeof packPoints>) => void packPoints(...input),
} as Partial<VectorIndex> as VectorIndex

const writeItem = async (text: string, language: 'en' | 'hu') => {
  const { passages } = (await embedItems(steps, [item(text)], { embedder, textWorker }))[0] as Entry
  await writePoints(
    { vectors, textWorker },
    steps,
    {
      space,
      entries: [
        { item: item(text), passages: passages.map((one) => ({ ...one, vector: Float32Array.of(1, 0, 0, 0) })) },
      ],
    },
    language,
  )
}

async function* blocksOf(texts: readonly string[], kind: Block['kind']): AsyncGenerator<Block> {
  for (const [seq, text] of texts.entries()) yield { seq, kind, text, at: {} }
}

const chunksOf = (texts: readonly string[], kind: Block['kind']) =>
  Array.fromAsync(
    cutChunks(blocksOf(texts, kind), {
      maxTokens: 256,
      overlapTokens: 32,
      tokens: (some) => embedder.tokens(some),
      cut: textWorker.cut,
    }),
  )

const clock = { now: Date.now, monotonic: () => performance.now(), delay: async () => undefined }

/** Finds hits whose texts are counted by script. */
const searchHits = async (texts: readonly string[]) => {
  const store = { items: { searchable: async () => texts.map(item) } } as unknown as Store
  const ranking = rankingOf({ text: texts[0] ?? '', mode: 'hybrid', isModeChosen: false }, reads)
  const hits = texts.map((text, index) => ({
    ...hit(text, index).point,
    score: 0.5,
    parts: { mode: 'hybrid' as const, readable: { query: 1, text: 1 } },
  }))
  await findHits({ store, vectors }, { withText: (one, text) => withText(one, text, ranking) })(
    async () => [],
    texts.length,
    { limit: texts.length + 1, hits },
  )
}

const matchMetadata = async (text: string) => {
  const value = text.slice(0, limits.filterTextLength / 2).toWellFormed()
  const operators = ['eq', 'contains', 'prefix', 'in', 'any'] as const
  const filter = {
    or: Array.from({ length: 100 }, (_, index) => {
      const operator = operators[index % operators.length] as (typeof operators)[number]
      return {
        key: 'key',
        [operator]: operator === 'in' || operator === 'any' ? [`${value}${index}`] : `${value}${index}`,
      }
    }),
  }
  fieldFilterOf(filter)
  const entries = Array.from({ length: 500 }, (_, index) => ({ ...item(text, index), id: `${index}`.padStart(4, '0') }))
  await findMatches(
    clock,
    { account: { id: 'account' }, signal },
    async ({ after, limit }) => entries.filter(({ id }) => id > after).slice(0, limit),
    { filter, after: '', withinMs: 60_000, visit: () => true },
  )
}

/**
 * The places where texts of users are read, folded, cut, stemmed, matched, highlighted or parsed in a process that serves
 * others, each called with a text of a megabyte, of which it takes what the API lets through.
 */
export const places: Readonly<Record<string, (text: string) => unknown>> = {
  'JSON of a body (1 MB)': (text) => {
    // A lone surrogate arrives as an escape of six bytes.
    const sent = text.isWellFormed() ? text : text.slice(0, megabyte / 6)
    const body = JSON.stringify({ [sent.slice(0, 1_000)]: sent })
    createJsonScanner(limits.jsonDepth).scan(Buffer.from(body))
    parseExact(body)
  },
  'JSON of a response (20 texts of 50,000 characters)': (text) =>
    serializeInTurns({ status: 200, body: { items: documents(text).map((one) => ({ text: one })) } }),
  'unknown fields of a body (1 MB)': (text) => warningsOfBody({ [text]: 1, query: 'a' }, searchBody),
  'documents of an upload (20 of 50,000 characters)': (text) =>
    checkDocuments(
      documents(text).map((one, index) => ({ id: `${index}`, text: one, key: text.slice(0, 2_000) })),
      { minTextLength: 10 },
    ),
  'labels of vectors (1 MB)': (text) => checkVectors([{ id: 'a', vector: [1], text, key: text.slice(0, 40_000) }], 1),
  'ids and names of files (1 MB)': (text) => [
    normaliseId(text),
    normaliseId(text.slice(0, limits.idBytes)),
    checkFileName(text),
    checkFileName(text.slice(0, limits.fileNameBytes)),
  ],
  'a query that is too long (1 MB)': (text) => searchBody.safeParse({ query: text, namespaces: ['a'] }),
  'filters at the end of a query (10,000 characters)': (text) => filterOf(parseSearchQuery(queryOf(text))),
  'words of a query (10,000 characters)': (text) => queryLexemesOf(queryOf(text), 'en'),
  'words of a Hungarian query (10,000 characters)': (text) => queryLexemesOf(queryOf(text), 'hu'),
  'script and subject of a query (10,000 characters)': (text) => [
    cosineWeight(queryOf(text), reads, 'en'),
    questionWords(queryOf(text), 'en'),
  ],
  'filters on metadata (500 items of 2 kB)': matchMetadata,
  'scripts of hits (20 of 50,000 characters)': (text) => searchHits(documents(text)),
  'highlights, and passages to rerank (4 hits of 50,000 characters)': (text) =>
    highlightsOf(
      models,
      some(text).map((one, index) => ({
        ...hit(one, index),
        metadata: { page: '1' },
        file: { id: 'file', name: 'a.pdf', places: placesOfWords },
      })),
      new AbortController().signal,
    ),
  'results for assistants (20 hits of 50,000 characters)': (text) =>
    searchResult(
      documents(text).map((one, index) => ({ ...hit(one, index), label: 'Irrelevant', metadata: {}, namespace: 'a' })),
    ),
  'sources of an answer (4 hits of 50,000 characters)': (text) => passagesOf(some(text).map(hit), queryOf(text), words),
  'quotes of an answer (24,000 characters)': (text) =>
    chooseQuote(
      queryOf(text),
      [
        {
          text: `a ${text.slice(0, limits.contextLength)}`,
          score: 1,
          about: text.slice(0, 300),
          attached: text.slice(0, 2_000),
          beginning: text.slice(0, 2_000),
        },
      ],
      {
        language: 'en',
        embed: (texts) => embedder.embed(texts, { kind: 'document' }),
        // As if no document had the words: they are then compared with all words of the passages.
        weigh: async (lexemes) => ({ of: Array.from(lexemes, () => 7), absent: 7 }),
        signal: new AbortController().signal,
        meaningOf: (cosine) => cosine,
      },
    ),
  'prompt of a model (200,000 characters)': (text) =>
    messagesFor(
      {
        model: 'a',
        query: queryOf(text),
        passages: [{ id: 'a', text: text.slice(0, limits.contextLength) }],
        history: [{ role: 'user', content: text.slice(0, limits.historyLength) }],
        headerPrompt: '',
        footerPrompt: '',
        temperature: 0,
      },
      'fence',
    ),
  'tokens for a server of models (50,000 characters)': (text) => estimateTokens(whole(text)),
  'tokens and vectors by words (20 texts of 50,000 characters)': async (text) => {
    await embedder.tokens(documents(text))
    await embedder.embed(
      documents(text).map((one) => `a ${one}`),
      { kind: 'document' },
    )
  },
  'passages and words of a document (50,000 characters)': (text) => writeItem(whole(text), 'en'),
  'passages and words of a Hungarian document (50,000 characters)': (text) => writeItem(whole(text), 'hu'),
  'chunks of a file (4 blocks of 50,000 characters)': (text) => chunksOf(some(text), 'text'),
  'chunks of tables (4 of 50,000 characters)': (text) => chunksOf(some(text), 'table'),
  'summary of chunks (20 of 50,000 characters)': (text) =>
    extractiveSummariser(embedder)(documents(text).map((one) => ({ text: one, heading: '' }))),
}
