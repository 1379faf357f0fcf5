import { afterEach, expect, it, vi } from 'vitest'
import { createSlots } from './slots.ts'

afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal
const setUp = () => {
  const slots = createSlots({ total: 3, perOwner: 2, longestWaitMs: 1_000, message: 'full' })
  const begun: string[] = []
  const take = (owner: string, name: string, signal = never) =>
    slots.take(owner, signal).then((giveBack) => {
      begun.push(name)
      return giveBack
    })
  return { begun, take }
}

it('gives so many slots to an owner and so many in all, and then to the first who waits and may have one', async () => {
  const { begun, take } = setUp()
  const [a1, a2] = await Promise.all([take('a', 'a1'), take('a', 'a2')])
  const waiting = [take('a', 'a3'), take('b', 'b1'), take('b', 'b2')]
  const b1 = await waiting[1]
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  a1()
  a1()
  const a3 = await waiting[0]
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  b1?.()
  await waiting[2]
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
  a2()
  a3?.()
})

it('refuses who has waited for too long, and forgets who has left', async () => {
  vi.useFakeTimers()
  const { begun, take } = setUp()
  const [first] = await Promise.all([take('a', 'a1'), take('a', 'a2')])
  const gone = new AbortController()
  const left = expect(take('a', 'a3', gone.signal)).rejects.toThrow()
  const late = expect(take('a', 'a4')).rejects.toMatchObject({ code: 'unavailable', message: 'full', retryAfterSeconds: 1 })
  gone.abort()
  await left
  await vi.advanceTimersByTimeAsync(1_000)
  await late
  await expect(take('a', 'a5', AbortSignal.abort())).rejects.toThrow()
  first()
  await take('a', 'a6')
  expect(begun).toEqual(['a1', 'a2', 'a6'])
})
