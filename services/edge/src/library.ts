import { openaiAnswerer } from '@cairn/adapters/answerer/openai'
import { systemClock } from '@cairn/adapters/clock/system'
import { sqliteEdgeStore } from '@cairn/adapters/edge-store/sqlite'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import type { ServerSentEvent } from '@cairn/runtime/http/api-request'
import { createEdgeAnswers } from './answer.ts'
import { createEdge, type Edge, type EdgeResponse } from './edge.ts'

// biome-ignore lint/performance/noBarrelFile: all of the library comes from one place
export { buildEdgeChunk, edgeItemId, parseEdgeChunk } from '@cairn/contracts/documents/edge-chunk'

export type EdgeStoreOptions = {
  /** Created with its folder if missing. Only one process at a time may open it. */
  readonly file: string
  /** Default 10,000. */
  readonly maxItems?: number
  /** A server with OpenAI's chat completions (URL with the version), and its name of the model. Unset: no answers. */
  readonly answers?: {
    readonly baseUrl: string
    readonly model: string
    readonly apiKey?: string /** Default 60,000. */
    readonly timeoutMs?: number
  }
}

/**
 * A store in the caller's process. Methods take the request bodies of the HTTP API with the same checks; an invalid one
 * throws an AppError.
 */
export type OpenEdgeStore = Edge & {
  answer(body: unknown, options?: { readonly signal?: AbortSignal }): Promise<EdgeResponse<'answer'>>
  answerEvents(body: unknown, options?: { readonly signal?: AbortSignal }): Promise<AsyncIterable<ServerSentEvent>>
  close(): Promise<void>
}

/**
 * Opens a store in its file.
 *
 *     const store = openEdgeStore({ file: 'data/edge.db' })
 *     await store.upload({ store_mode: 'vector', items: [{ id: 'tea', vector, text: 'Green tea' }] })
 *     const { results } = await store.search({ query: vector, top_k: 5 })
 */
export const openEdgeStore = ({ file, maxItems, answers }: EdgeStoreOptions): OpenEdgeStore => {
  const store = sqliteEdgeStore({ file, ...(maxItems === undefined ? {} : { maxItems }) })
  const answerer =
    answers &&
    openaiAnswerer({
      baseUrl: answers.baseUrl,
      ...(answers.apiKey === undefined ? {} : { apiKey: answers.apiKey }),
      models: new Map([[answers.model, { model: answers.model, credits: 1 }]]),
      defaultModel: answers.model,
      timeoutMs: answers.timeoutMs ?? 60_000,
      clock: systemClock(),
    })
  // Errors are returned to the caller; a library has no log.
  const edgeAnswers = createEdgeAnswers({
    store,
    answerer,
    lexicalEmbedder: lexicalEmbedder(),
    log: { warn: () => undefined },
  })
  const never = new AbortController().signal
  return {
    ...createEdge(store),
    answer: (body, { signal = never } = {}) => edgeAnswers.answer(body, signal),
    answerEvents: (body, { signal = never } = {}) => edgeAnswers.events(body, signal),
    close: () => store.close(),
  }
}
