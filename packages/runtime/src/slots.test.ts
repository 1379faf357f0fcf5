import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'

it('gives out no more places than there are', async () => {
  const slots = createSlots(2)
  let most = 0
  let taken = 0
  const use = async () => {
    const giveBack = await slots.take()
    taken += 1
    most = Math.max(most, taken)
    await Promise.resolve()
    taken -= 1
    giveBack()
    giveBack()
  }
  await Promise.all(Array.from({ length: 20 }, use))
  expect(most).toBe(2)
  expect(slots.free()).toBe(2)
})

it('gives them out in the order they were asked for', async () => {
  const slots = createSlots(1)
  const order: number[] = []
  const first = await slots.take()
  const others = [1, 2, 3].map(async (number) => {
    const giveBack = await slots.take()
    order.push(number)
    giveBack()
  })
  first()
  await Promise.all(others)
  expect(order).toEqual([1, 2, 3])
})

it('says when a place is free without taking it', async () => {
  const slots = createSlots(1)
  const giveBack = await slots.take()
  let ready = false
  const waiting = slots.whenFree().then(() => {
    ready = true
  })
  await Promise.resolve()
  expect(ready).toBe(false)
  giveBack()
  await waiting
  expect(slots.free()).toBe(1)
})

it('lets whoever waits go away, and gives the place to the next', async () => {
  const slots = createSlots(1)
  const giveBack = await slots.take()
  const leave = new AbortController()
  const gone = expect(slots.take(leave.signal)).rejects.toMatchObject({ code: 'unavailable' })
  const next = slots.take()
  leave.abort()
  await gone
  giveBack()
  ;(await next)()
  expect(slots.free()).toBe(1)
  await expect(slots.take(leave.signal)).rejects.toMatchObject({ code: 'unavailable' })
  expect(slots.free()).toBe(1)
})
