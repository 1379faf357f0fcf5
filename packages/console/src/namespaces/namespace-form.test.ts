import { expect, it } from 'vitest'
import { firstRequests, namespaceBody } from './namespace-form.ts'

const form = { name: ' notes ', type: 'text', model: '', dimension: '384' } as const

it('sends what belongs to the type', () => {
  expect(namespaceBody(form)).toEqual({ namespace_name: 'notes', type: 'text' })
  expect(namespaceBody({ ...form, model: ' lexical ' })).toEqual({
    namespace_name: 'notes',
    type: 'text',
    model: 'lexical',
  })
  expect(namespaceBody({ ...form, type: 'vector', model: 'lexical' })).toEqual({
    namespace_name: 'notes',
    type: 'vector',
    vector_dimension: 384,
  })
})

it('writes the first requests for the address of the page', () => {
  expect(firstRequests('http://cairn.example').match(/http:\S+/g)).toEqual([
    'http://cairn.example/v1/namespaces',
    'http://cairn.example/v1/namespaces/notes/documents',
  ])
})
