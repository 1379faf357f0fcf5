import { operations } from '@cairn/contracts/api/operations'
import type { Operation } from '@cairn/contracts/http/operation'
import { expect, it } from 'vitest'
import { checkResponse } from './check-response.ts'

const named = (faulty: Operation, response: Parameters<typeof checkResponse>[1]) => {
  try {
    checkResponse(faulty, response)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
const { approveOrphans, fetchTextData, getDocs, getReadiness, uploadFile } = operations

it('accepts what the operation declares, and failures', () => {
  expect(named(approveOrphans, { status: 200, body: { approved: 1 } })).toBeUndefined()
  expect(named(approveOrphans, { status: 200, body: { approved: 1, noted: undefined } })).toBeUndefined()
  expect(named(approveOrphans, { status: 404, body: { any: 1 } })).toBeUndefined()
  expect(named(getDocs, { status: 200, body: '<p>' })).toBeUndefined()
  const dependencies = { bus: { ok: false, detail: 'away' } }
  expect(named(getReadiness, { status: 503, body: { status: 'not_ready', dependencies } })).toBeUndefined()
})

it.each([
  [
    'another status',
    approveOrphans,
    { status: 201, body: {} },
    'response 201 of approveOrphans is not as declared: no such status',
  ],
  ['no body', approveOrphans, { status: 200 }, /^response 200 of approveOrphans .*: Invalid input: expected object/],
  ['a value of another type', approveOrphans, { status: 200, body: { approved: '1' } }, /: approved: Invalid input/],
  ['a further field', approveOrphans, { status: 200, body: { approved: 1, keys: [] } }, /: no field keys$/],
  [
    'a further field within',
    getReadiness,
    { status: 503, body: { status: 'not_ready', dependencies: { bus: { ok: true, seconds: 3 } } } },
    /: no field dependencies\.bus\.seconds$/,
  ],
  ['neither of two bodies', fetchTextData, { status: 200, body: { status: 'success' } }, /: message: .*; message: /],
  ['text for an object', uploadFile, { status: 200, body: 'done' }, /expected object/],
] as const)('names %s', (_, faulty, response, message) => {
  expect(named(faulty, response)).toMatch(message)
})
