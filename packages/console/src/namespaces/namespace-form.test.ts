import { expect, it } from 'vitest'
import { namespaceBody } from './namespace-form.ts'

const form = { name: ' notes ', type: 'text', model: '', language: 'de', dimension: '384' } as const

it('sends what belongs to the type', () => {
  const text = { namespace_name: 'notes', type: 'text', language: 'de' }
  expect(namespaceBody(form)).toEqual(text)
  expect(namespaceBody({ ...form, model: 'lexical' })).toEqual({ ...text, model: 'lexical' })
  expect(namespaceBody({ ...form, type: 'vector', model: 'lexical' })).toEqual({
    namespace_name: 'notes',
    type: 'vector',
    vector_dimension: 384,
  })
})
