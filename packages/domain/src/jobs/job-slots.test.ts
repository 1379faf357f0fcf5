import { expect, it } from 'vitest'
import { createJobSlots } from './job-slots.ts'

it('keeps one more slot, which only short jobs get', () => {
  const slots = createJobSlots(2)
  slots.take('a', 'long')
  const giveBack = slots.take('b', 'long')
  expect([slots.lanes(), slots.free(), slots.isFreeFor('c', 'long'), slots.isFreeFor('c', 'short')]).toEqual([
    ['short'],
    0,
    false,
    true,
  ])
  slots.take('c', 'short')
  expect([slots.lanes(), slots.isFreeFor('d', 'short')]).toEqual([[], false])
  giveBack()
  expect([slots.lanes(), slots.isFreeFor('d', 'long'), slots.free()]).toEqual([['short', 'long'], true, 0])
})

it('gives no account all slots', () => {
  const slots = createJobSlots(2)
  for (const _ of ['first', 'second']) slots.take('a', 'short')
  expect([slots.isFreeFor('a', 'short'), slots.isFreeFor('b', 'short'), slots.isFreeFor('b', 'long')]).toEqual([
    false,
    true,
    true,
  ])
})

it('takes a slot back once', () => {
  const slots = createJobSlots(1)
  const giveBack = slots.take('a', 'long')
  giveBack()
  giveBack()
  expect(slots.free()).toBe(1)
  slots.take('a', 'long')
  expect(slots.isFreeFor('b', 'long')).toBe(false)
})
