import type { AnswerEvent, AnswerSource, Hits } from '@cairn/client'
import { stageTimes } from '../format.ts'
import type { TextRange } from './highlight.ts'

export type AnswerOutcome = {
  readonly kind: 'answer'
  readonly question: string
  readonly namespaces: readonly string[]
  readonly text: string
  readonly sources: readonly AnswerSource[]
  readonly model: string
  /** False if no source answers the question. */
  readonly isAnswered: boolean
  readonly isDone: boolean
}
export type Outcome = { readonly kind: 'hits'; readonly hits: Hits; readonly query: string } | AnswerOutcome

type Asked = Pick<AnswerOutcome, 'question' | 'namespaces'>

export const afterEvent = (asked: Asked, before: Outcome | undefined, event: AnswerEvent): Outcome | undefined => {
  if (event.event === 'meta') {
    const { sources, model, answered } = event
    return { kind: 'answer', ...asked, text: '', sources, model, isAnswered: answered, isDone: false }
  }
  if (before?.kind !== 'answer') return before
  return event.event === 'done'
    ? { ...before, text: event.answer, isDone: true }
    : { ...before, text: before.text + event.delta }
}

/** Leaves out stages under half a millisecond: `embed query 4 ms · vectors 12 ms`. */
export const searchTimes = ({ timings }: Pick<Hits, 'timings'>): string =>
  stageTimes(Object.entries(timings).filter(([stage, seconds]) => stage !== 'total' && seconds >= 0.0005))

/** Returns for example `0-44,90-120`. */
export const marksParam = (ranges: readonly TextRange[]): string =>
  ranges.map(({ start, end }) => `${start}-${end}`).join(',')

/** Returns undefined if nothing is to be marked. */
export const marksIn = (param: string | null): readonly TextRange[] | undefined =>
  param === null
    ? undefined
    : Array.from(param.matchAll(/(\d+)-(\d+)/g), ([, start, end]) => ({ start: Number(start), end: Number(end) }))
