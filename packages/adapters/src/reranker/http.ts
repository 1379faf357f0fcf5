import { AppError } from '@cairn/contracts/errors'
import type { Reranker } from '@cairn/domain/ports/reranker'
import { type ModelServer, sendToModel } from '../model-server.ts'
import { logistic } from './logistic.ts'

/** `cohere` is also the API of Jina, Voyage and vLLM. `tei`: text-embeddings-inference. */
export type RerankForm = 'cohere' | 'tei'

/** `url` is the whole URL: `https://api.cohere.com/v2/rerank`, `http://localhost:8080/rerank`. */
export type HttpRerankerOptions = Omit<ModelServer, 'name' | 'apiKey'> & {
  readonly apiKey?: string | undefined
  readonly form: RerankForm
  /** The server's name of the model; a TEI server has one only. */
  readonly model: string
}

/** For each response; `bytesBesideTexts` is added once. */
const bytesPerText = 1_024
const bytesBesideTexts = 64 * 1024
const unusableRetryAfterSeconds = 10

const wrong = (what: string) => new AppError('internal', `The reranking server's answer can't be used: ${what}`)

/** `results` with `relevance_score`, or a plain list with `score`. */
const itemsOf = (answer: string): readonly { readonly index: unknown; readonly score: unknown }[] => {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch (cause) {
    throw new AppError('internal', "The reranking server's answer is not JSON", { cause })
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { readonly results?: unknown } | null)?.results
  if (!Array.isArray(list)) throw wrong('it has no list `results`')
  return list.map((item: unknown) => {
    const { index, relevance_score, score = relevance_score } = (item ?? {}) as Readonly<Record<string, unknown>>
    return { index, score }
  })
}

/** Returns the scores in the order of the texts. If one is outside 0 to 1, all are mapped to 0 to 1. */
const readScores = (answer: string, count: number): number[] => {
  const items = itemsOf(answer)
  if (items.length !== count) throw wrong(`${items.length} scores for ${count} texts`)
  const scores = new Map<number, number>()
  for (const { index, score } of items) {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw wrong(`the index ${String(index)}`)
    if (scores.has(index)) throw wrong(`the index ${index} twice`)
    if (typeof score !== 'number' || !Number.isFinite(score)) throw wrong('a score that is no finite number')
    scores.set(index, score)
  }
  const hasRange = scores.values().every((score) => score >= 0 && score <= 1)
  return Array.from({ length: count }, (_, index) => {
    const score = scores.get(index) ?? 0
    return hasRange ? score : logistic(score)
  })
}

export const httpReranker = ({ url, apiKey, form, model, timeoutMs, clock }: HttpRerankerOptions): Reranker => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new AppError('conflict', `The address of the reranking server is no http URL: ${url}`)
  const server: ModelServer = { name: 'reranking server', url, apiKey, timeoutMs, clock }
  const closing = new AbortController()
  return {
    model,
    rerank: async (query, texts, { signal }) => {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      if (texts.length === 0) return []
      const wellFormed = texts.map((text) => text.toWellFormed())
      const body =
        form === 'cohere'
          ? { model, query: query.toWellFormed(), documents: wellFormed, top_n: texts.length }
          : { query: query.toWellFormed(), texts: wellFormed, truncate: true }
      const reply = await sendToModel(server, body, {
        maxBytes: bytesBesideTexts + texts.length * bytesPerText,
        deadlineMs: clock.monotonic() + timeoutMs,
        signal: AbortSignal.any([signal, closing.signal]),
      })
      if ('answer' in reply) return readScores(reply.answer, texts.length)
      if ('refused' in reply)
        throw new AppError('conflict', `The reranking server refuses the query with its hits: ${reply.refused}`)
      throw new AppError('unavailable', reply.unusable, { retryAfterSeconds: unusableRetryAfterSeconds })
    },
    close: async () => {
      closing.abort(new AppError('unavailable', 'The reranker is closed'))
    },
  }
}
