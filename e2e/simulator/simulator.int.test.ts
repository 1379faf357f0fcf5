import { expect, it, vi } from 'vitest'
import { runSeed } from './run.ts'

const runs = 100

it(`finds no violation in ${runs} seeds`, async () => {
  const found: string[] = []
  for (let seed = 1; seed <= runs; seed += 1) {
    const { violations } = await runSeed({ seed })
    if (violations.length > 0) found.push(`npm run simulate -- --seed ${seed} --trace: ${violations.join('; ')}`)
    // Lets timers run: a simulation itself never leaves the tick queue.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(found).toEqual([])
}, 120_000)

it('repeats a run step by step from its seed', async () => {
  const traces = [[], []] as const satisfies readonly string[][]
  for (const lines of traces as readonly string[][]) await runSeed({ seed: 17, trace: (line) => lines.push(line) })
  expect(traces[0].length).toBeGreaterThan(100)
  expect(traces[1]).toEqual(traces[0])
})

it('takes the same steps when each piece of work takes 100 ms', async () => {
  const { steps } = await runSeed({ seed: 3 })
  let at = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    at += 100
    return at
  })
  const { steps: busy, violations } = await runSeed({ seed: 3 })
  expect([busy, violations]).toEqual([steps, []])
})
