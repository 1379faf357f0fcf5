import { CairnError } from './error.ts'
import type { CallOptions, Repeat, Result, Transport } from './transport.ts'

export type ServerSentEvent = { readonly id: string | undefined; readonly event: string; readonly data: unknown }

const eventOf = (frame: string): ServerSentEvent | undefined => {
  const lines = frame.split('\n')
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const [event] = field('event')
  const [id] = field('id')
  return event === undefined ? undefined : { id, event, data: JSON.parse(field('data').join('\n')) }
}

/** Far above the longest event, which has all sources of an answer. */
const maxEventLength = 50_000_000

/** Throws CairnError if nothing arrives for `idleMs`, or if an event is too long. */
const eventsIn = async function* (body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<ServerSentEvent> {
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
      if (rest.length > maxEventLength) throw new CairnError('unexpected_response', 'An event of the stream has no end')
      // A long event would be searched again from its start with each new piece.
      if (!isEnd) continue
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = eventOf(frame)
        if (event) yield event
      }
    }
    if (isIdle) throw new CairnError('timeout', `Nothing more of the stream came within ${idleMs / 1_000} s`)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

type StreamOptions = CallOptions & {
  readonly repeat: Repeat
  /** For the response headers. */
  readonly timeoutMs: number
  /** For each further piece. */
  readonly idleMs: number
}

/** Throws CairnError, or the signal's reason once it is aborted. */
export const serverSentEvents = async function* (
  { send }: Pick<Transport, 'send'>,
  open: (signal: AbortSignal) => Promise<Result<ReadableStream<Uint8Array> | null>>,
  { signal, timeoutMs, idleMs, repeat }: StreamOptions,
): AsyncGenerator<ServerSentEvent> {
  // An attempt's timeout ends when the headers arrive, but the signal must still abort the stream.
  let stopped = new AbortController()
  const stop = () => stopped.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const body = await send<ReadableStream<Uint8Array> | null>(
      (attempt) => {
        stopped = new AbortController()
        const { signal: opened } = stopped
        attempt.addEventListener('abort', () => stopped.abort(attempt.reason), { once: true })
        return open(opened)
      },
      { timeoutMs, signal, repeat },
    )
    if (body) yield* eventsIn(body, idleMs)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof CairnError ? error : new CairnError('network', 'The stream broke off', { cause: error })
  } finally {
    signal?.removeEventListener('abort', stop)
    stopped.abort()
  }
}
