import { expect, it } from 'vitest'
import { createWindowCount } from './window-count.ts'

const setUp = (max: number) => {
  const time = { now: 0 }
  return { time, count: createWindowCount({ monotonic: () => time.now }, { windowMs: 1_000, max }) }
}

it('is full at the limit of a window, for each name alone, until the next window', () => {
  const { time, count } = setUp(100)
  expect(count.isFull('a')).toBe(false)
  count.add('a', 99)
  expect(count.isFull('a')).toBe(false)
  count.add('a')
  expect(count.isFull('a')).toBe(true)
  expect(count.isFull('b')).toBe(false)
  time.now = 999
  expect(count.isFull('a')).toBe(true)
  time.now = 1_000
  expect(count.isFull('a')).toBe(false)
})

it('counts names beyond 10,000 together', () => {
  const { count } = setUp(2)
  for (let index = 0; index < 10_000; index += 1) count.add(`name ${index}`)
  expect(count.isFull('name 9999')).toBe(false)
  count.add('one')
  expect(count.isFull('other')).toBe(false)
  count.add('another')
  expect(count.isFull('other')).toBe(true)
  expect(count.isFull('name 9999')).toBe(false)
})
