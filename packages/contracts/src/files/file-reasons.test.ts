import { expect, it } from 'vitest'
import { fileReasons, isPassing, remedyOf } from './file-reasons.ts'

it('tells for every reason what happened and what can be done, in sentences', () => {
  for (const [code, { message, remedy }] of Object.entries(fileReasons)) {
    expect(message, code).toMatch(/^[A-Z].+\.$/)
    expect(remedy, code).toMatch(/^[A-Z].+\.$/)
  }
})

it('has a remedy for a reason it does not know', () => {
  expect(remedyOf('encrypted')).toBe(fileReasons.encrypted.remedy)
  expect(remedyOf('of_another_version')).toBe(fileReasons.internal.remedy)
  expect(remedyOf('constructor')).toBe(fileReasons.internal.remedy)
})

it('tells which reasons may pass', () => {
  expect(['crashed_worker', 'internal', 'quota_exceeded', 'id_conflict'].every(isPassing)).toBe(true)
  expect(['encrypted', 'damaged', 'no_text', 'object_missing', 'embedding_refused'].some(isPassing)).toBe(false)
  expect(isPassing('of_another_version')).toBe(true)
})
