import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

it('gives turns one at a time, to owners in turn', async () => {
  const { take } = createTurns()
  const order: string[] = []
  const work = async (owner: string, name: string) => {
    await take(owner, never)
    order.push(name)
  }
  await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1')])
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

it('lets the event loop go round between two turns', async () => {
  const { take } = createTurns()
  let rounds = 0
  const seen: number[] = []
  let isOver = false
  const count = () => {
    rounds += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const work = async () => {
    await take('a', never)
    seen.push(rounds)
  }
  await Promise.all([work(), work(), work()])
  isOver = true
  const [first = 0, second = 0, third = 0] = seen
  expect(second - first).toBeGreaterThanOrEqual(2)
  expect(third - second).toBeGreaterThanOrEqual(2)
})

it('has no turn for a client that has left', async () => {
  const { take } = createTurns()
  const left = new AbortController()
  const first = take('a', never)
  const waiting = take('a', left.signal)
  left.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'invalid' })
  await first
  await take('a', never)
  await expect(take('a', left.signal)).rejects.toMatchObject({ code: 'invalid' })
})
