import { chunkKeys } from '@cairn/contracts/files/file-metadata'
import { defaultLanguage } from '@cairn/contracts/text/languages'
import { minReadable } from '@cairn/contracts/text/scripts'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { chooseQuote, type Quote, type QuotePassage } from '@cairn/domain/text/quotes/choose'
import { rarity } from '@cairn/domain/text/rarity'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import type { Call } from '../call.ts'
import { contentOf } from '../content.ts'
import type { AnswerPorts } from '../deps.ts'
import type { GatedStore, ReadableNamespace } from '../gate.ts'
import type { SearchHit } from '../search/search-namespaces.ts'

/** Cosine of all-MiniLM-L6-v2 from which a text is about a question; the weights of quotes were fitted by it. */
const fittedFrom = 0.3
const inLexicalFrom = 0.2

const textIn = (metadata: SearchHit['metadata'], key: string): string => {
  const { [key]: value } = metadata
  return typeof value === 'string' ? value : ''
}

export type QuotedSource = Pick<SearchHit, 'id' | 'text' | 'score' | 'metadata' | 'namespace' | 'explanation'>

/** First chunks read in one namespace, and units of each. */
const maxBeginnings = 10
const beginningLength = 2_000

/** Returns undefined for the first chunk itself, and for what is no chunk. */
const firstChunkId = ({ id, metadata }: QuotedSource): string | undefined => {
  const first = textIn(metadata, 'source') && id.replace(/(?<=_chunk_)\d+$/, '0')
  return first && first !== id ? first : undefined
}

/** Reads the first chunks of the sources' files, by namespace and id. */
const readBeginnings = async (
  store: GatedStore,
  namespaces: readonly ReadableNamespace[],
  sources: readonly QuotedSource[],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const { id: namespaceId, name } of namespaces) {
    const ids = sources.flatMap((source) => (source.namespace === name ? (firstChunkId(source) ?? []) : []))
    if (ids.length === 0) continue
    for (const { id, body } of await contentOf(store, namespaceId, [...new Set(ids)].slice(0, maxBeginnings)))
      found.set(`${name}/${id}`, body.text.slice(0, beginningLength))
  }
  return found
}

const passageOf = (source: QuotedSource, beginnings: ReadonlyMap<string, string>): QuotePassage => {
  const { text, score, metadata, namespace } = source
  const headings = textIn(metadata, 'heading').split(' > ').reverse()
  const about = [...headings, ...['sheet', 'title', 'source'].map((key) => textIn(metadata, key))]
  const attached = Object.keys(metadata).map((key) => (chunkKeys.has(key) ? '' : textIn(metadata, key)))
  return {
    text,
    score,
    about: about.filter((line) => line !== '').join('\n'),
    attached: attached.filter((line) => line !== '').join('\n'),
    beginning: beginnings.get(`${namespace}/${firstChunkId(source)}`) ?? '',
  }
}

/**
 * Chooses a quote without a language model. The namespaces have one language and one model, which compares meanings if
 * it reads the question; else words are compared.
 */
export const quoteSources = async (
  deps: Pick<AnswerPorts, 'store' | 'vectors' | 'embedders' | 'lexicalEmbedder' | 'clock'>,
  call: Pick<Call, 'account' | 'signal'>,
  namespaces: readonly ReadableNamespace[],
  question: string,
  sources: readonly QuotedSource[],
): Promise<Quote | undefined> => {
  const { vectors, embedders, lexicalEmbedder, clock } = deps
  const [namespace] = namespaces
  if (!namespace) return undefined
  const { language = defaultLanguage, embedding } = namespace
  const isRead = sources.some(({ explanation: { readable = 1 } }) => readable >= minReadable)
  const model = isRead && embedding ? embedders.of(embedding) : undefined
  const from = model ? (model.relevantFrom ?? fittedFrom) : inLexicalFrom
  const embed = (texts: readonly string[]) => {
    const options = { kind: 'document', signal: call.signal } as const
    return model ? retryUnavailable(clock, () => model.embed(texts, options)) : lexicalEmbedder.embed(texts, options)
  }
  const weigh = async (lexemes: Uint32Array) => {
    const requester = { owner: call.account.id, signal: call.signal }
    const query = { namespaceIds: namespaces.map(({ id }) => id), lexemes }
    const { points, of } = await vectors.frequencies(embeddingSpaceOf(namespace), query, requester)
    return { of: of.map((frequency) => rarity(points, frequency)), absent: rarity(points, 0) }
  }
  // Summaries repeat sentences of their chunks without what stands around them.
  const chunks = sources.filter(({ metadata: { is_summary: isSummary } }) => isSummary !== true)
  const read = chunks.length > 0 ? chunks : sources
  const beginnings = await readBeginnings(deps.store, namespaces, read)
  const passages = read.map((source) => passageOf(source, beginnings))
  return chooseQuote(question, passages, {
    language,
    signal: call.signal,
    embed,
    weigh,
    meaningOf: (cosine) => fittedFrom + ((cosine - from) * (1 - fittedFrom)) / (1 - from),
  })
}
