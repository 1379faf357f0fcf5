import type { AnswerEvent } from '@cairn/client'
import { expect, it } from 'vitest'
import { afterEvent, marksIn, marksParam, type Outcome, searchTimes } from './outcome.ts'

const meta = { event: 'meta', sources: [], model: 'extractive', answered: true } as unknown as AnswerEvent
const delta = (text: string) => ({ event: 'token', delta: text }) as AnswerEvent
const done = { event: 'done', answer: 'A pile of stones.' } as AnswerEvent
const asked = { question: 'What is it?', namespaces: ['notes', 'guides'] }
const after = (...events: readonly AnswerEvent[]) =>
  events.reduce<Outcome | undefined>((before, event) => afterEvent(asked, before, event), undefined)

it('grows with the stream, and ends with the whole answer', () => {
  expect(after(meta)).toMatchObject({ kind: 'answer', ...asked, text: '', isAnswered: true, isDone: false })
  expect(after(meta, delta('A pile '), delta('of'))).toMatchObject({ text: 'A pile of', isDone: false })
  expect(after(meta, delta('A pile '), done)).toMatchObject({ text: 'A pile of stones.', isDone: true })
})

it('starts anew with each answer', () => {
  expect(after(meta, done, meta)).toMatchObject({ text: '', isDone: false })
})

it('shows no text before the sources are known', () => {
  expect(after(delta('A pile'))).toBeUndefined()
})

it('names the stages of a search that took time', () => {
  expect(searchTimes({ timings: { total: 0.02, embed_query: 0.012, filter: 0.0004, vectors: 0.0005 } })).toBe(
    'embed query 12 ms · vectors 1 ms',
  )
})

it('keeps in the address what was found', () => {
  const ranges = [
    { start: 0, end: 44 },
    { start: 90, end: 120 },
  ]
  expect(marksIn(marksParam(ranges))).toEqual(ranges)
  expect(marksIn(marksParam([]))).toEqual([])
  expect(marksIn(null)).toBeUndefined()
})
