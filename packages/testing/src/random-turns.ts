import type { Random } from './seeded-random.ts'

/**
 * A scheduler for steps: whoever awaits a turn waits among all who do, and `random` chooses who goes next. One goes at a
 * time, and has a turn of the event loop to come back for the next step before another is chosen.
 */
export const randomTurns = (random: Random): (() => Promise<void>) => {
  const waiting: (() => void)[] = []
  let choosing = false
  const choose = () => {
    const [next] = waiting.splice(random.below(waiting.length), 1)
    next?.()
    choosing = waiting.length > 0
    if (choosing) setImmediate(choose)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (choosing) return
      choosing = true
      setImmediate(choose)
    })
}
