import { expect, it } from 'vitest'
import { routeTo, segmentsOf } from './router.ts'

it.each([
  ['', []],
  ['#', []],
  ['#/', []],
  ['#/namespaces/notes/files', ['namespaces', 'notes', 'files']],
  ['#/search//notes/', ['search', 'notes']],
  ['#/namespaces/100%', ['namespaces', '100%']],
])('reads the route of %j', (hash, segments) => {
  expect(segmentsOf(hash)).toEqual(segments)
})

it('leads to any id and back', () => {
  const segments = ['namespaces', 'notes', 'documents', 'a/b #?%20 "ü" 🪨']
  expect(segmentsOf(routeTo(...segments))).toEqual(segments)
})
