import { expect, it } from 'vitest'
import { createPauses } from './pauses.ts'

it.each([
  ['much', 11],
  ['some', 6],
])('lets other tasks run between many tasks that do %s work and pause at once', async (_, workMs) => {
  let round = 0
  let isOver = false
  const countRounds = (): void => {
    round += 1
    if (!isOver) setImmediate(countRounds)
  }
  setImmediate(countRounds)
  const work = async () => {
    const pause = createPauses()
    const until = performance.now() + workMs
    while (performance.now() < until);
    await pause()
    return round
  }
  const rounds = await Promise.all(Array.from({ length: 8 }, work))
  isOver = true
  // Two short pieces of work fit into one turn.
  expect(new Set(rounds).size).toBeGreaterThanOrEqual(7)
})
