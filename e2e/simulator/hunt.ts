import type { PlantedFault } from './planted-faults.ts'
import { runSeed } from './run.ts'

/** The first seed that noticed a fault, with the violation. */
export type Find = { readonly seed: number; readonly violation: string }

/** Runs seeds with a fault planted until one notices it. */
export const hunt = async (fault: PlantedFault, first: number, seeds: number): Promise<Find | undefined> => {
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violations } = await runSeed({ seed, fault })
    // Timers get their turn: a run itself never leaves the tick queue.
    await new Promise((resolve) => setImmediate(resolve))
    const [violation] = violations
    if (violation !== undefined) return { seed, violation }
  }
  return undefined
}
