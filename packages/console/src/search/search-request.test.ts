import type { Namespace } from '@cairn/client'
import { expect, it } from 'vitest'
import { withParams } from '../router.ts'
import {
  labelOfAll,
  namesOf,
  namespacesOf,
  paramsOf,
  type Query,
  queryIn,
  readTopK,
  requestOf,
} from './search-request.ts'

const query: Query = {
  text: 'cairns',
  namespaces: ['a', 'b'],
  topK: 10,
  mode: 'hybrid',
  conditions: [],
  isQuestion: false,
}
const sent = (part: Partial<Query>, isVector = false) => requestOf({ ...query, ...part }, isVector).body

it('searches the namespaces with explanations and highlights', () => {
  expect(requestOf(query, false)).toEqual({
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
  expect(sent({ conditions: [{ key: 'year', operator: 'gte', value: '2020' }] })).toMatchObject({
    filter: { key: 'year', gte: 2020 },
  })
})

it('sends numbers in brackets as a vector, and all else as text', () => {
  expect(sent({ text: ' [0.1, -2e3]' }, true)).toMatchObject({ query: [0.1, -2_000] })
  expect(sent({}, true)).not.toHaveProperty('mode')
  for (const text of ['[1] see the footnote', '["a"]', '[1, null]', '[1,', 'a [1]'])
    expect(sent({ text })).toMatchObject({ query: text })
})

it('asks one namespace, several, or all', () => {
  const asked = (...namespaces: readonly string[]) => requestOf({ ...query, namespaces, isQuestion: true }, false)
  expect(asked('a')).toEqual({ path: '/v1/answer', body: { query: 'cairns', namespace: 'a', top_k: 10 } })
  expect(asked('a', 'b').body).toEqual({ query: 'cairns', namespaces: ['a', 'b'], top_k: 10 })
  expect(asked().body).toEqual({ query: 'cairns', top_k: 10 })
})

const space = (namespace_name: string, vector_dimension: number | null = null) =>
  ({ namespace_name, type: vector_dimension === null ? 'text' : 'vector', vector_dimension }) as Namespace
const searched = (named: readonly string[], ...all: readonly Namespace[]) =>
  namesOf(namespacesOf({ namespaces: named }, all))

it('searches all namespaces that can be searched together, or those that are named and exist', () => {
  const [photos, sounds, notes, guides] = [space('photos', 3), space('sounds', 4), space('notes'), space('guides')]
  expect(searched([], photos, notes, guides)).toEqual(['notes', 'guides'])
  expect(labelOfAll([photos, notes, guides])).toBe('All 2 of texts')
  expect(searched([], notes, guides)).toEqual(['notes', 'guides'])
  expect(labelOfAll([notes, guides])).toBe('All')
  expect(searched([], photos, sounds)).toEqual(['photos'])
  expect(searched(['guides', 'gone'], photos, notes, guides)).toEqual(['guides'])
  expect(searched(['gone'], notes)).toEqual([])
  expect(searched([])).toEqual([])
  expect(searched([], ...Array.from({ length: 120 }, (_, at) => space(`n${at}`)))).toHaveLength(100)
})

it('is kept by the address', () => {
  const conditions = [{ key: 'year', operator: 'gte', value: '2021' }] as const
  const queries: Query[] = [query, { ...query, text: 'a?&#', topK: 7, mode: 'lexical', conditions, isQuestion: true }]
  for (const one of queries)
    expect(queryIn(new URLSearchParams(withParams('#/search', paramsOf(one)).split('?')[1]))).toEqual(one)
  expect(queryIn(new URLSearchParams('hits=1e9&mode=none'))).toMatchObject({ topK: 100, mode: 'hybrid' })
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
