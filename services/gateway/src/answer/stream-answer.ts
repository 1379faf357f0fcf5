import { type AboutAnswer, answerEvents } from '@cairn/runtime/http/answer-events'
import type { ServerSentEvent } from '@cairn/runtime/http/api-request'
import type { Logger } from '@cairn/runtime/process/logger'

const startingWith = async function* (
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, undefined> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Resolves with the first piece, so that an earlier failure gets a response with its own status. */
export const streamAnswer = async (
  pieces: AsyncIterable<string> | Iterable<string>,
  about: AboutAnswer,
  log: Pick<Logger, 'warn'>,
): Promise<AsyncIterable<ServerSentEvent>> => {
  const iterator = (async function* () {
    yield* pieces
  })()
  return answerEvents(startingWith(await iterator.next(), iterator), about, log)
}
