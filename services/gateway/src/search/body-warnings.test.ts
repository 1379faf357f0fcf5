import { searchBody } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import { expect, it } from 'vitest'
import { warningsOfBody, withWarnings } from './body-warnings.ts'

const warned = (body: unknown) => {
  const headers = new Map<string, string>()
  const setHeader = (name: string, value: string) => void headers.set(name, value)
  const { warnings = [] } = withWarnings({ setHeader }, warningsOfBody(body, searchBody))
  return { warnings, header: headers.get('x-cairn-warnings') }
}
const plain = { query: 'stones', namespaces: ['notes'] }

it('is silent about fields that the schema knows, up to the largest top_k', () => {
  expect(warned({ ...plain, top_k: limits.topK, explain: true })).toEqual({ warnings: [], header: undefined })
  expect(warned([])).toEqual({ warnings: [], header: undefined })
})

it.each([
  ['topK', 'The field "topK" is unknown and was ignored; did you mean "top_k"?'],
  ['Group-By', 'The field "Group-By" is unknown and was ignored; did you mean "group_by"?'],
  ['limit', 'The field "limit" is unknown and was ignored.'],
  ['__proto__', 'The field "__proto__" is unknown and was ignored.'],
  ['größe"\n', String.raw`The field "gr\u00f6\u00dfe\"\n" is unknown and was ignored.`],
  ['x'.repeat(9_000_000), `The field "${'x'.repeat(40)}" is unknown and was ignored.`],
])('warns of the unknown field %j, in the body and in a header', (name, warning) => {
  const body = JSON.parse(`{"query":"stones","namespaces":["notes"],${JSON.stringify(name)}:5}`)
  expect(warned(body)).toEqual({ warnings: [warning], header: warning })
})

it('warns of a top_k above the largest', () => {
  expect(warned({ ...plain, top_k: limits.topK + 1 }).warnings).toEqual([
    `top_k ${limits.topK + 1} was treated as ${limits.topK}, the maximum.`,
  ])
})

it.each([
  [10, 10, undefined],
  [11, 11, '1 more unknown fields were ignored.'],
  [5_000, 11, '4990 more unknown fields were ignored.'],
])('names at most ten of %i unknown fields', (count, expected, last) => {
  const { warnings, header } = warned(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1])))
  expect(warnings).toHaveLength(expected)
  if (last) expect(warnings.at(-1)).toBe(last)
  expect(header?.length).toBeLessThan(1_000)
})

it('has a header of whole warnings, whatever the names', () => {
  const names = Array.from({ length: 10 }, (_, index) => `${index}${'😀'.repeat(40)}`)
  const { warnings, header = '' } = warned(Object.fromEntries(names.map((name) => [name, 1])))
  expect(warnings).toHaveLength(10)
  expect(header.length).toBeLessThanOrEqual(1_000)
  expect(warnings.join(' ').startsWith(header)).toBe(true)
  expect(header.endsWith('ignored.')).toBe(true)
})
