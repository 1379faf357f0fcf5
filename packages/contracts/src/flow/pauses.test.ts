import { expect, it } from 'vitest'
import { createPauses } from './pauses.ts'

it('lets other tasks run between any two of many tasks that pause at once', async () => {
  let round = 0
  let isOver = false
  const countRounds = (): void => {
    round += 1
    if (!isOver) setImmediate(countRounds)
  }
  setImmediate(countRounds)
  const work = async () => {
    const pause = createPauses()
    const until = performance.now() + 11
    while (performance.now() < until);
    await pause()
    return round
  }
  const rounds = await Promise.all(Array.from({ length: 8 }, work))
  isOver = true
  expect(new Set(rounds).size).toBe(8)
})
