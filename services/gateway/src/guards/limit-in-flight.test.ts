import { operations } from '@cairn/contracts/api/operations'
import type { Account, ApiKey } from '@cairn/domain/accounts/record'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { limitInFlight } from './limit-in-flight.ts'

const callerOf = (id: string): Caller => ({ account: {} as Account, key: { id } as ApiKey })

it('refuses what a key sends beyond its requests in flight, and nothing of other keys', async () => {
  const guard = limitInFlight(2)
  const begin = async (by: Caller) => {
    const request = guardedRequest<Caller>(operations.search, {}, by)
    await guard(request)
    return request
  }
  const a = callerOf('a')
  const first = await begin(a)
  await begin(a)
  await expect(begin(a)).rejects.toMatchObject({ code: 'limited', retryAfterSeconds: 1 })
  await begin(callerOf('b'))
  await begin('admin')
  first.end()
  await begin(a)
  await expect(begin(a)).rejects.toMatchObject({ code: 'limited' })
})
