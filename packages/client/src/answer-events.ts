import { CairnError } from './error.ts'
import type { ServerSentEvent } from './server-sent-events.ts'
import type { Answered } from './types.ts'

/** A part of a streamed answer; the whole answer is in `done`. */
export type AnswerEvent =
  | ({ readonly event: 'meta' } & Pick<Answered, 'model' | 'context_count' | 'sources' | 'query' | 'answered'>)
  | { readonly event: 'token'; readonly delta: string }
  | ({ readonly event: 'done' } & Pick<
      Answered,
      'answer' | 'model' | 'context_count' | 'sources' | 'query' | 'answered'
    >)

/** Ends after `done`. Throws CairnError on `error`, or if the stream ends before `done`. */
export const answerEvents = async function* (events: AsyncIterable<ServerSentEvent>): AsyncGenerator<AnswerEvent> {
  for await (const { event, data } of events) {
    if (event === 'error')
      throw new CairnError('internal', (data as { readonly message: string }).message, { status: 200, body: data })
    if (event === 'meta' || event === 'token' || event === 'done') yield { event, ...(data as object) } as AnswerEvent
    if (event === 'done') return
  }
  throw new CairnError('network', 'The answer broke off')
}
