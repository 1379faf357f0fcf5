import { isAppError } from '@cairn/contracts/errors'
import type { ServerSentEvent } from '@cairn/runtime/api-request'
import type { Logger } from '@cairn/runtime/logger'

type About = { readonly model: string; readonly context_count: number; readonly sources: readonly unknown[]; readonly query: string }

const broken = 'The answer broke off because of an internal server error.'

/**
 * An answer as events: `meta`, a `token` for each piece, `done`; or `error` in its place. Resolves with the first piece: until then
 * a failure is an answer of its own, with a status.
 */
export const streamAnswer = async (
  pieces: AsyncIterable<string> | Iterable<string>,
  about: About,
  log: Pick<Logger, 'warn'>,
): Promise<AsyncIterable<ServerSentEvent>> => {
  const iterator = (async function* () {
    yield* pieces
  })()
  const first = await iterator.next()
  const { model, context_count, query } = about
  return (async function* (): AsyncGenerator<ServerSentEvent> {
    yield { event: 'meta', data: about }
    let answer = ''
    try {
      for (let next = first; !next.done; next = await iterator.next()) {
        answer += next.value
        yield { event: 'token', data: { delta: next.value } }
      }
    } catch (error) {
      log.warn({ err: error }, 'an answer broke off')
      return yield { event: 'error', data: { message: isAppError(error) && error.code !== 'internal' ? error.message : broken } }
    } finally {
      // Whoever reads no further ends the asking as well.
      await iterator.return(undefined)
    }
    yield { event: 'done', data: { answer, query, model, context_count } }
  })()
}
