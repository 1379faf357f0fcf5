import { authTexts } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { adminKey } from './admin-key.ts'

const wanted = 'the admin key of this installation'

it('lets the operator in', () => {
  const request = guardedRequest<Caller>(operations.listAccounts, { 'x-admin-key': wanted })
  void adminKey(wanted)(request)
  expect(request.caller).toBe('admin')
})

it.each([
  ['no key', {}, 'missingAdminKey'],
  ['an empty key', { 'x-admin-key': '' }, 'missingAdminKey'],
  ['another key', { 'x-admin-key': `${wanted}.` }, 'invalidAdminKey'],
  ['a part of it', { 'x-admin-key': wanted.slice(0, -1) }, 'invalidAdminKey'],
  ['an API key in its place', { 'x-api-key': wanted }, 'missingAdminKey'],
] as const)('answers 401 to %s', (_, headers, text) => {
  const request = guardedRequest<Caller>(operations.listAccounts, headers)
  expect(() => adminKey(wanted)(request)).toThrow(
    expect.objectContaining({ code: 'unauthenticated', message: authTexts[text] }),
  )
  expect(request.caller).toBeUndefined()
})
