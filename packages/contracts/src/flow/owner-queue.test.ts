import { expect, it } from 'vitest'
import { createOwnerQueue } from './owner-queue.ts'

it('lets owners take turns, and keeps the order of the entries of each', () => {
  const queue = createOwnerQueue<string>()
  for (const entry of ['a1', 'a2', 'a3']) queue.add('a', entry)
  queue.add('b', 'b1')
  expect([queue.take(), queue.take()]).toEqual(['a1', 'b1'])
  queue.add('b', 'b2')
  expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual(['a2', 'b2', 'a3', undefined])
})
