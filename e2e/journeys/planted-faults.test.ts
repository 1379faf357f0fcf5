import { expect, it } from 'vitest'
import { plantedFaults } from '../simulator/planted-faults.ts'
import { runSeed } from '../simulator/run.ts'

const seeds = 200

// What proves the simulator: each clause of the rules, taken out, must be missed.
it('plants at least ten faults', () => {
  expect(plantedFaults.length).toBeGreaterThanOrEqual(10)
})

it.each(plantedFaults.map((fault) => [fault.name, fault] as const))(`finds %s within ${seeds} seeds`, async (_, fault) => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violations } = await runSeed({ seed, fault, trace: undefined })
    await new Promise((resolve) => setImmediate(resolve))
    if (violations.length > 0) return
  }
  expect.fail(`${fault.name} went unnoticed in ${seeds} seeds`)
})
