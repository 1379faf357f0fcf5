import { expect, it } from 'vitest'
import { documentReasonOf, documentReasons } from './document-reasons.ts'

it('tells for every reason what happened and what can be done, in sentences', () => {
  for (const [code, { message, remedy }] of Object.entries(documentReasons)) {
    expect(message, code).toMatch(/^[A-Z].+\.$/)
    expect(remedy, code).toMatch(/^[A-Z].+\.$/)
  }
})

it('takes a reason it does not know for an internal error', () => {
  expect(documentReasonOf('embedding_refused')).toBe(documentReasons['embedding_refused'])
  expect(documentReasonOf('of_another_version')).toBe(documentReasons['internal'])
  expect(documentReasonOf('constructor')).toBe(documentReasons['internal'])
})
