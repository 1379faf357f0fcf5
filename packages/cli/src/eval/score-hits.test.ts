import type { Hit } from '@cairn/client'
import { expect, it } from 'vitest'
import { scoreHits } from './score-hits.ts'

const hit = (id: string, source?: string): Hit =>
  ({ id, metadata: source === undefined ? {} : { source } }) as unknown as Hit
const others = Array.from({ length: 9 }, (_, index) => hit(`other-${index}`))

it('scores the rank of an expected item', () => {
  const question = { question: 'q', expected: ['x'], files: [] }
  expect(scoreHits(question, [hit('x'), ...others])).toEqual({ ndcg: 1, recall: 1, firstRank: 1 })
  expect(scoreHits(question, [hit('a'), hit('x')])).toEqual({ ndcg: 0.6309, recall: 1, firstRank: 2 })
  expect(scoreHits(question, [...others, hit('x')])).toEqual({ ndcg: 0.2891, recall: 1, firstRank: 10 })
  // Scores look at ten hits; the rank at all.
  expect(scoreHits(question, [...others, hit('a'), hit('x')])).toEqual({ ndcg: 0, recall: 0, firstRank: 11 })
  expect(scoreHits(question, others)).toEqual({ ndcg: 0, recall: 0, firstRank: 0 })
  expect(scoreHits(question, [])).toEqual({ ndcg: 0, recall: 0, firstRank: 0 })
})

it('counts the chunks of an expected file as one', () => {
  const question = { question: 'q', expected: [], files: ['a.md', 'é.md'] }
  const hits = [hit('a_chunk_1', 'a.md'), hit('a_chunk_2', 'a.md'), hit('e_chunk_1', 'e\u0301.md')]
  expect(scoreHits(question, hits)).toEqual({ ndcg: 1, recall: 1, firstRank: 1 })
  expect(scoreHits(question, hits.slice(0, 2))).toMatchObject({ recall: 0.5, firstRank: 1 })
})

it('finds items and files beside each other', () => {
  const question = { question: 'q', expected: ['x'], files: ['a.md'] }
  expect(scoreHits(question, [hit('x', 'b.md'), hit('a_chunk_1', 'a.md')])).toMatchObject({ ndcg: 1, recall: 1 })
  expect(scoreHits(question, [hit('a.md'), hit('x')])).toMatchObject({ recall: 0.5, firstRank: 2 })
})
