import { AppError, isAppError } from '@cairn/contracts/errors'
import {
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb'
import { expect, it } from 'vitest'
import { refusedIndexes, translateError } from './mongodb-errors.ts'

const answered = (code: number, more: object = {}) => new MongoServerError({ message: `code ${code}`, code, ...more })

it.each([
  ['a broken connection', new MongoNetworkError('connection 1 closed')],
  [
    'a socket that was closed under a command',
    Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
  ],
  ['a connection that is silent', new MongoNetworkTimeoutError('timed out')],
  ['no server', new MongoServerSelectionError('no primary', {} as TopologyDescription)],
  ['a server that is no primary any more', answered(10_107)],
  ['a server that is stopping', answered(11_600)],
  ['a write that no majority is known to have', answered(64)],
  ['a server out of time', answered(50)],
  ['a write conflict', answered(112)],
  ['a full disk', answered(14_031)],
  ['an overloaded server', answered(462, { errorLabels: ['SystemOverloadedError', 'RetryableError'] })],
])('calls %s unavailable, and says when to come again', (_, error) => {
  const known = translateError(error)
  expect(isAppError(known, 'unavailable')).toBe(true)
  expect((known as AppError).retryAfterSeconds).toBeGreaterThan(0)
  expect((known as AppError).cause).toBe(error)
})

it.each([
  ['a wrong password', answered(18)],
  ['a missing permission', answered(13)],
  ['a document that is too large', answered(10_334)],
  ['an index of the same name over other fields', answered(86)],
])('does not call %s passing, and keeps the cause', (_, error) => {
  const known = translateError(error)
  expect(known).not.toBeInstanceOf(AppError)
  expect(known).toMatchObject({ cause: error, message: expect.stringContaining(error.message) })
})

it('keeps errors that are not MongoDB’s', () => {
  const mine = new AppError('conflict', 'mine')
  expect(translateError(mine)).toBe(mine)
  expect(refusedIndexes(answered(11_000))).toBeUndefined()
})
