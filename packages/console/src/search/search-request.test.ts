import { expect, it } from 'vitest'
import { answerRequest, type Query, readTopK, searchRequest } from './search-request.ts'

const query: Query = { text: 'cairns', namespaces: ['a', 'b'], topK: 10, mode: 'hybrid', filter: undefined }
const sent = (part: Partial<Query>) => searchRequest({ ...query, ...part }).body

it('searches the namespaces with explanations and highlights', () => {
  expect(searchRequest(query)).toEqual({
    path: '/v1/search',
    body: {
      query: 'cairns',
      namespaces: ['a', 'b'],
      top_k: 10,
      mode: 'hybrid',
      explain: true,
      highlights: true,
    },
  })
  expect(sent({ filter: { key: 'year', gte: 2020 } })).toMatchObject({ filter: { key: 'year', gte: 2020 } })
})

it('sends numbers in brackets as a vector, and all else as text', () => {
  expect(sent({ text: ' [0.1, -2e3]', mode: undefined })).toMatchObject({ query: [0.1, -2_000] })
  expect(sent({ mode: undefined })).not.toHaveProperty('mode')
  for (const text of ['[1] see the footnote', '["a"]', '[1, null]', '[1,', 'a [1]'])
    expect(sent({ text })).toMatchObject({ query: text })
})

it('asks one namespace', () => {
  expect(answerRequest({ ...query, namespaces: ['a'] })).toEqual({
    path: '/v1/answer',
    body: { query: 'cairns', namespace: 'a', top_k: 10 },
  })
})

it.each([
  ['25', 25],
  ['2.6', 3],
  ['0', 1],
  ['-4', 1],
  ['', 1],
  ['many', 1],
])('reads %j hits as %i', (text, count) => {
  expect(readTopK(text)).toBe(count)
})
