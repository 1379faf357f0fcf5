import { expect, it } from 'vitest'
import { neighborsOf } from './neighbors.ts'

it.each([
  ['guide.pdf_chunk_9', 'guide.pdf_chunk_8', 'guide.pdf_chunk_10'],
  ['guide.pdf_chunk_0', undefined, 'guide.pdf_chunk_1'],
  ['a_chunk_1_chunk_19', 'a_chunk_1_chunk_18', 'a_chunk_1_chunk_20'],
])('names the chunks around %s by their number', (id, previous, next) => {
  expect(neighborsOf(id)).toEqual({ previous, next })
})

it.each(['note', 'guide.pdf_summary_1', 'guide.pdf_chunk_', 'guide.pdf_chunk_01', 'guide.pdf_chunk_1x'])(
  'knows none around %s',
  (id) => {
    expect(neighborsOf(id)).toEqual({ previous: undefined, next: undefined })
  },
)
