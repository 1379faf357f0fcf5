import type { PlantedFault } from './planted-faults.ts'
import { runSeed } from './run.ts'

/** First seed that detected a fault, with the violation. */
export type Find = { readonly seed: number; readonly violation: string }

/** Runs up to `seeds` seeds with a planted fault until one detects it; undefined if none does. */
export const hunt = async (fault: PlantedFault, first: number, seeds: number): Promise<Find | undefined> => {
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violations } = await runSeed({ seed, fault })
    // Lets timers run: a simulation itself never leaves the tick queue.
    await new Promise((resolve) => setImmediate(resolve))
    const [violation] = violations
    if (violation !== undefined) return { seed, violation }
  }
  return undefined
}
