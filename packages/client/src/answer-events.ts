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

/** UTF-16 units of one event: far more than the longest has, the one with all sources. */
const longestEvent = 50_000_000

/**
 * Yields the events of a streamed answer up to `done`. Throws CairnError on `error`, if the stream ends before, if
 * nothing comes for `idleMs`, or if an event has no end.
 */
export const answerEvents = async function* (
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<AnswerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let isIdle = false
  const read = async () => {
    const timer = setTimeout(() => {
      isIdle = true
      reader.cancel().catch(() => undefined)
    }, idleMs)
    try {
      const { value } = await reader.read()
      return value && decoder.decode(value, { stream: true })
    } finally {
      clearTimeout(timer)
    }
  }
  let [rest, last] = ['', '']
  try {
    for (let text = await read(); text !== undefined; text = await read()) {
      const isEnd = `${last}${text}`.includes('\n\n')
      rest += text
      last = text.slice(-1) || last
      if (rest.length > longestEvent) throw new CairnError('unexpected_response', 'An event of the answer has no end')
      // Without this, every piece of a long event would be searched again with the next one.
      if (!isEnd) continue
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = eventOf(frame)
        if (event) yield event
        if (event?.event === 'done') return
      }
    }
    if (isIdle) throw new CairnError('timeout', `Nothing more of the answer came within ${idleMs / 1_000} s`)
    throw new CairnError('network', 'The answer broke off')
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
