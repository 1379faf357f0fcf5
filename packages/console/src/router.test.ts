import { expect, it } from 'vitest'
import { routeTo, segmentsOf, withParams } from './router.ts'

it.each([
  ['', []],
  ['#', []],
  ['#/', []],
  ['#/namespaces/notes/files', ['namespaces', 'notes', 'files']],
  ['#/namespaces/notes/files?find=a/b&page=2', ['namespaces', 'notes', 'files']],
  ['#/search//notes/', ['search', 'notes']],
  ['#/namespaces/100%', ['namespaces', '100%']],
])('reads the route of %j', (hash, segments) => {
  expect(segmentsOf(hash)).toEqual(segments)
})

it('leads to any id and back', () => {
  const segments = ['namespaces', 'notes', 'documents', 'a/b #?%20 "ü" 🪨']
  expect(segmentsOf(routeTo(...segments))).toEqual(segments)
})

it('changes parameters and keeps the others', () => {
  const hash = withParams('#/search', { q: 'a & b?', ns: ['x', 'y'], k: 5 })
  expect(hash).toBe('#/search?q=a+%26+b%3F&ns=x&ns=y&k=5')
  expect(withParams(hash, { ns: ['z'], k: undefined })).toBe('#/search?q=a+%26+b%3F&ns=z')
  expect(withParams(hash, { q: undefined, ns: [], k: undefined })).toBe('#/search')
})
