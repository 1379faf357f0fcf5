import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from './command.ts'

const pollEveryMs = 1_000

type Watched<T> = {
  /** Nothing more is expected. */
  readonly isEnd: (state: T) => boolean
  /** Progress in one line. */
  readonly line: (state: T) => string
  readonly next: (signal: AbortSignal) => Promise<T>
}

/** Polls every second and shows each new line; on a terminal, in place of the previous one. */
export const watchState = async <T>(
  { note, isTerminal, signal }: Context,
  begun: T,
  { isEnd, line, next }: Watched<T>,
): Promise<T> => {
  let shown = ''
  try {
    for (let state = begun; ; state = await next(signal)) {
      if (isEnd(state)) return state
      const text = line(state)
      if (text !== shown) note(isTerminal ? `\r\x1b[K${text}` : `${text}\n`)
      shown = text
      await delay(pollEveryMs, undefined, { signal })
    }
  } finally {
    if (isTerminal && shown !== '') note('\n')
  }
}
