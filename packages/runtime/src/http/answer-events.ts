import { isAppError } from '@cairn/contracts/errors'
import type { Logger } from '../process/logger.ts'
import type { ServerSentEvent } from './api-request.ts'

export type AboutAnswer = {
  readonly model: string
  readonly context_count: number
  readonly sources: readonly unknown[]
  readonly query: string
  /** False: no passage answers the question. Absent in the edge store. */
  readonly answered?: boolean
  /** Fields of the request that were ignored or capped. */
  readonly warnings?: readonly string[]
}

const broken = 'The answer broke off because of an internal server error.'

/**
 * Yields `meta`, a `token` for each piece, then `done` or `error`. If the reader stops early, the source of the pieces
 * is closed too.
 */
export const answerEvents = async function* (
  pieces: AsyncIterable<string> | Iterable<string>,
  about: AboutAnswer,
  log: Pick<Logger, 'warn'>,
): AsyncGenerator<ServerSentEvent, undefined> {
  yield { event: 'meta', data: about }
  let answer = ''
  try {
    for await (const piece of pieces) {
      answer += piece
      yield { event: 'token', data: { delta: piece } }
    }
  } catch (error) {
    log.warn({ err: error }, 'answer stream interrupted')
    yield { event: 'error', data: { message: isAppError(error) && error.code !== 'internal' ? error.message : broken } }
    return
  }
  yield {
    event: 'done',
    data: { answer, ...about },
  }
}
