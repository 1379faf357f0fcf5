import { operations } from '@cairn/contracts/api/operations'
import type { Account } from '@cairn/domain/accounts/record'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { callerOf } from '../gate.fixture.ts'
import { limitInFlight } from './limit-in-flight.ts'

const callerWith = (keyId: string): Caller => callerOf({} as Account, keyId)

it('refuses what a key sends beyond its requests in flight, and nothing of other keys', async () => {
  const guard = limitInFlight(2)
  const begin = async (by: Caller) => {
    const request = guardedRequest<Caller>(operations.search, {}, by)
    await guard(request)
    return request
  }
  const a = callerWith('a')
  const first = await begin(a)
  await begin(a)
  await expect(begin(a)).rejects.toMatchObject({ code: 'limited', retryAfterSeconds: 1 })
  await begin(callerWith('b'))
  await begin('admin')
  first.end()
  await begin(a)
  await expect(begin(a)).rejects.toMatchObject({ code: 'limited' })
})
