import { expect, it } from 'vitest'
import { createSliceTurns } from './time-slices.ts'

it('gives owners their slices in turn, and the operations of one owner in turn', async () => {
  const turns = createSliceTurns(5)
  const order: string[] = []
  const run = async (owner: string, name: string, slices: number) => {
    const own = turns(owner)
    for (let slice = 0; slice < slices; slice++) {
      await own.next()
      order.push(name)
    }
  }
  const many = Array.from({ length: 20 }, (_, index) => run('busy', `busy ${index}`, 3))
  await Promise.all([...many, run('other', 'other', 3)])
  const turnsOfOther = order.flatMap((name, index) => (name === 'other' ? [index] : []))
  expect(turnsOfOther).toEqual([1, 3, 5])
  expect(order.slice(0, 1).concat(order.filter((name) => name.startsWith('busy')).slice(1, 20))).toEqual(
    Array.from({ length: 20 }, (_, index) => `busy ${index}`),
  )
})

it('handles messages between two slices', async () => {
  const own = createSliceTurns(5)('owner')
  let isOver = false
  const message = new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => {
    isOver = true
  })
  for (let slice = 0; slice < 10_000 && !isOver; slice++) await own.next()
  await message
  expect(isOver).toBe(true)
})

it('ends an operation at its next slice once its signal is aborted', async () => {
  const turns = createSliceTurns(5)
  const left = new AbortController()
  const own = turns('owner', { signal: left.signal })
  await own.next()
  left.abort(new Error('nobody waits'))
  await expect(own.next()).rejects.toThrow('nobody waits')
  await expect(turns('owner').next()).resolves.toBeUndefined()
})

it('ends an operation that takes too long', async () => {
  const own = createSliceTurns(5)('owner', { maxMs: -1 })
  await expect(own.next()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
})
