import { afterEach, expect, it, vi } from 'vitest'
import { FairSlots } from './fair-slots.ts'

const never = new AbortController().signal
const open = () => new FairSlots({ size: 2, perOwner: 1, waitingPerOwner: 2, waiting: 3, what: 'things are done' })

afterEach(() => void vi.useRealTimers())

it('never lets one owner have all slots, and serves others past its queue', async () => {
  const slots = open()
  const first = await slots.take('a', never)
  const order: string[] = []
  const next = slots.take('a', never).then(() => order.push('a'))
  await slots.take('b', never)
  expect(slots.counts()).toEqual({ running: 2, waiting: 1 })
  const other = slots.take('c', never).then(() => order.push('c'))
  first()
  first()
  await next
  expect(order).toEqual(['a'])
  expect(slots.counts()).toEqual({ running: 2, waiting: 1 })
  void other
})

it('refuses what is beyond the queue of an owner, and of all', async () => {
  const slots = open()
  await slots.take('a', never)
  await slots.take('b', never)
  void slots.take('a', never)
  void slots.take('a', never)
  await expect(slots.take('a', never)).rejects.toMatchObject({ code: 'limited', retryAfterSeconds: 2 })
  void slots.take('c', never)
  await expect(slots.take('d', never)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
})

it('forgets who has left while waiting', async () => {
  const slots = open()
  const release = await slots.take('a', never)
  const left = new AbortController()
  const waiting = slots.take('a', left.signal)
  left.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'invalid' })
  await expect(slots.take('b', left.signal)).rejects.toMatchObject({ code: 'invalid' })
  expect(slots.counts()).toEqual({ running: 1, waiting: 0 })
  release()
  expect(slots.counts()).toEqual({ running: 0, waiting: 0 })
})

it('refuses who has waited for too long, and gives the slot to the next', async () => {
  vi.useFakeTimers()
  const slots = new FairSlots({ size: 1, perOwner: 1, maxWaitMs: 1_000, what: 'things are done' })
  const first = await slots.take('a', never)
  const late = expect(slots.take('b', never)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Too many things are done; retry in a moment.',
    retryAfterSeconds: 2,
  })
  await vi.advanceTimersByTimeAsync(999)
  const next = slots.take('c', never)
  await vi.advanceTimersByTimeAsync(1)
  await late
  first()
  await next
  expect(slots.counts()).toEqual({ running: 1, waiting: 0 })
})

it('refuses at once, in words of its policy, where nobody may wait', () => {
  const slots = new FairSlots({ what: 'things are done', perOwner: 1, refusal: 'One at a time.', retryAfterSeconds: 5 })
  const release = slots.takeNow('a')
  expect(() => slots.takeNow('a')).toThrow(expect.objectContaining({ code: 'limited', message: 'One at a time.' }))
  slots.takeNow('b')
  release()
  slots.takeNow('a')
})
