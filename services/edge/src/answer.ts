import { nothingFoundIn } from '@cairn/contracts/api/answer-form'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { edgeAnswerBody } from '@cairn/contracts/http/edge'
import type { Answerer } from '@cairn/domain/ports/answerer'
import type { EdgeStore } from '@cairn/domain/ports/edge-store'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { passagesOf } from '@cairn/domain/text/passages'
import { answerEvents } from '@cairn/runtime/http/answer-events'
import type { ServerSentEvent } from '@cairn/runtime/http/api-request'
import { parse } from '@cairn/runtime/http/parse'
import type { Logger } from '@cairn/runtime/process/logger'
import { type EdgeResponse, findHits } from './edge.ts'

export type AnswerDeps = {
  readonly store: Pick<EdgeStore, 'search'>
  readonly answerer: Answerer | undefined
  /** Compares parts of texts with the question; much cheaper than an embedding model. */
  readonly lexicalEmbedder: Pick<Embedder, 'embed'>
  readonly log: Pick<Logger, 'warn'>
}

export type EdgeAnswers = ReturnType<typeof createEdgeAnswers>

/** Reports every failure of the model as 400, also a temporary one: published clients expect this status. */
const translated = async function* (
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  try {
    yield* pieces
  } catch (error) {
    if (signal.aborted) throw error
    const message =
      isAppError(error) && error.code !== 'internal'
        ? error.message
        : 'The answering model can not be used as it is configured.'
    throw new AppError('invalid', message, { cause: error })
  }
}

export const createEdgeAnswers = ({ store, answerer, lexicalEmbedder, log }: AnswerDeps) => {
  const begin = async (body: unknown, signal: AbortSignal) => {
    const sent = parse(edgeAnswerBody, body)
    if (!answerer)
      throw new AppError('invalid', 'No answering model is configured: set CAIRN_ANSWER_URL and CAIRN_ANSWER_MODEL')
    const hits = await findHits(store, sent.query_vector, sent)
    const sources = await passagesOf(
      hits.map((hit) => ({ ...hit, text: hit.text ?? '' })),
      sent.query,
      // The store serves one user, whose texts have at most 50,000 characters.
      { lexicalEmbedder, textWorker: directTextWorker },
    )
    const { id: model } = answerer.modelFor(undefined)
    const request = {
      model,
      query: sent.query,
      passages: sources.map(({ id, text, score }) => ({ id, text, score })),
      history: sent.chat_history,
      headerPrompt: sent.header_prompt,
      footerPrompt: sent.footer_prompt,
      temperature: sent.temperature,
    }
    const pieces =
      sources.length === 0 ? [nothingFoundIn('the documents')] : translated(answerer.write(request, { signal }), signal)
    return { pieces, about: { model, context_count: sources.length, sources, query: sent.query } }
  }

  return {
    answer: async (body: unknown, signal: AbortSignal): Promise<EdgeResponse<'answer'>> => {
      const { pieces, about } = await begin(body, signal)
      let answer = ''
      try {
        for await (const piece of pieces) answer += piece
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'answer stream interrupted')
        throw error
      }
      return { answer, ...about }
    },
    /** Rejects if the request fails before the model is called; reports later failures as events. */
    events: async (body: unknown, signal: AbortSignal): Promise<AsyncIterable<ServerSentEvent>> => {
      const { pieces, about } = await begin(body, signal)
      return answerEvents(pieces, about, log)
    },
  }
}
