import { CairnError } from './error.ts'
import type { Answered } from './types.ts'

export type AnswerEvent =
  | ({ readonly event: 'meta' } & Pick<Answered, 'model' | 'context_count' | 'sources' | 'query'>)
  | { readonly event: 'token'; readonly delta: string }
  | ({ readonly event: 'done' } & Pick<Answered, 'answer' | 'model' | 'context_count' | 'sources' | 'query'>)

const eventOf = (frame: string): AnswerEvent | undefined => {
  const lines = frame.split('\n')
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const [event] = field('event')
  if (event !== 'meta' && event !== 'token' && event !== 'done' && event !== 'error') return undefined
  const data = JSON.parse(field('data').join('\n'))
  if (event === 'error') throw new CairnError('internal', data.message, { status: 200, body: data })
  return { event, ...data }
}

/** Yields the events of a streamed answer up to `done`. Throws CairnError on `error`, or if the stream ends before. */
export const answerEvents = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const frames = (rest + decoder.decode(read.value, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = eventOf(frame)
        if (event) yield event
        if (event?.event === 'done') return
      }
    }
    throw new CairnError('network', 'The answer broke off')
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
