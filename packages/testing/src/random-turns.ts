import type { Random } from './seeded-random.ts'

/**
 * Creates a scheduler for steps: `random` chooses the next step among all that await a turn. One step runs at a time.
 * Its caller has a turn of the event loop to request its next step before another is chosen.
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
