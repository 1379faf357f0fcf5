import { expect, it } from 'vitest'
import { runSeed } from './run.ts'

const runs = 100

it(`finds no violation in ${runs} seeds`, async () => {
  const found: string[] = []
  for (let seed = 1; seed <= runs; seed += 1) {
    const { violations } = await runSeed({ seed, fault: undefined, trace: undefined })
    if (violations.length > 0) found.push(`npm run simulate -- --seed ${seed} --runs 1 --trace: ${violations.join('; ')}`)
    // Timers get their turn: a run itself never leaves the tick queue.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(found).toEqual([])
}, 120_000)
