import { defaultLanguage } from '@cairn/contracts/languages'
import { minReadable } from '@cairn/contracts/scripts'
import { embeddingSpaceOf } from '@cairn/domain/embedding-space'
import type { Namespace } from '@cairn/domain/metadata/records'
import { chooseQuote, type Quote, type QuotePassage } from '@cairn/domain/quotes/choose'
import { rarity } from '@cairn/domain/rarity'
import { retryUnavailable } from '@cairn/runtime/retry'
import type { Call } from '../call.ts'
import type { AnswerPorts } from '../deps.ts'
import type { SearchHit } from '../search/search-namespaces.ts'

/** Cosine from which a text is about a question, by which the weights of quotes were fitted: that of all-MiniLM-L6-v2. */
const fittedFrom = 0.3
const inLexicalFrom = 0.2

const textIn = (metadata: SearchHit['metadata'], key: string): string => {
  const { [key]: value } = metadata
  return typeof value === 'string' ? value : ''
}

export type QuotedSource = Pick<SearchHit, 'id' | 'text' | 'score' | 'metadata' | 'namespace' | 'explanation'>

const passageOf = ({ id, text, score, metadata, namespace }: QuotedSource): QuotePassage => {
  const file = textIn(metadata, 'source')
  const headings = textIn(metadata, 'heading').split(' > ').reverse()
  const sheet = textIn(metadata, 'sheet')
  const about = [...headings, sheet, textIn(metadata, 'title'), file].filter((line) => line !== '')
  return { text, score, about: about.join('\n'), file: `${namespace}/${file || id}` }
}

/**
 * Chooses what to quote for a question without a language model. The namespaces have one language and one model, which
 * compares meanings if it reads the question, else the words are compared.
 */
export const quoteSources = async (
  deps: Pick<AnswerPorts, 'vectors' | 'embedders' | 'lexicalEmbedder' | 'clock'>,
  call: Pick<Call, 'account' | 'signal'>,
  namespaces: readonly Namespace[],
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
  return chooseQuote(question, read.map(passageOf), {
    language,
    embed,
    weigh,
    meaningOf: (cosine) => fittedFrom + ((cosine - from) * (1 - fittedFrom)) / (1 - from),
  })
}
