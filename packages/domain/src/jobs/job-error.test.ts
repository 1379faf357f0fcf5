import { AppError, type ErrorCode, errorStatus } from '@cairn/contracts/errors'
import { permanentError } from '@cairn/contracts/permanent-error'
import { expect, it } from 'vitest'
import { classify, leaseLost } from './job-error.ts'

it('names the reason of a permanent error', () => {
  expect(classify(permanentError('no_text', 'No text was found in the file.'))).toEqual({
    kind: 'permanent',
    code: 'no_text',
    message: 'No text was found in the file.',
  })
})

it('tells a lost lease from a bug', () => {
  expect(classify(leaseLost())).toEqual({ kind: 'lost' })
  expect(classify(new Error('the lease is lost, or the file was replaced'))).toEqual({ kind: 'bug' })
  expect(classify('a string')).toEqual({ kind: 'bug' })
})

const kindOf: Partial<Record<ErrorCode, string>> = {
  unavailable: 'transient',
  conflict: 'transient',
}

it.each(Object.keys(errorStatus) as ErrorCode[])('takes an error of the code %s for what it means to a job', (code) => {
  expect(classify(new AppError(code, 'A message.')).kind).toBe(kindOf[code] ?? 'bug')
})
