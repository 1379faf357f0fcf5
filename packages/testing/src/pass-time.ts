import type { ManualClock } from './manual-clock.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets ready work run, including in-memory stores, without advancing time. */
export const letRun = async (turns = 4): Promise<void> => {
  for (let index = 0; index < turns; index += 1) await turn()
}

export type PassOptions = {
  readonly sliceMs?: number
  /** Awaited before and after each slice, so that other work runs. Default: a few turns of the event loop. */
  readonly settle?: () => Promise<void>
}

/**
 * Advances time in slices (default 1 s), between which woken work runs and waits again: a timer of 10 s fires three
 * times in half a minute.
 */
export const passTime = async (
  clock: Pick<ManualClock, 'pass'>,
  ms: number,
  { sliceMs = 1_000, settle = letRun }: PassOptions = {},
): Promise<void> => {
  await settle()
  for (let left = ms; left > 0; left -= sliceMs) {
    clock.pass(Math.min(left, sliceMs))
    await settle()
  }
}
