import { expect, it } from 'vitest'
import { createRounds } from './rounds.ts'

const round = () => new Promise((resolve) => setImmediate(resolve))

it('lets so many begin in a round of the event loop, and the others later in their order', async () => {
  const { take } = createRounds(2)
  const begun: string[] = []
  const ask = (name: string) => {
    const begin = () => void begun.push(name)
    if (take(begin)) begin()
  }
  for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name)
  expect(begun).toEqual(['a', 'b'])
  await round()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  ask('f')
  await round()
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  await round()
  await round()
  ask('g')
  expect(begun.at(-1)).toBe('g')
})
