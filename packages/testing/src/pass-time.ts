import type { ManualClock } from './manual-clock.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets what is ready to run go on, in-memory stores included, without any time passing. */
export const letRun = async (turns = 4): Promise<void> => {
  for (let index = 0; index < turns; index += 1) await turn()
}

export type PassOptions = {
  readonly sliceMs?: number
  /** Awaited before and after each slice: what lets others work. Default: a few turns of the event loop. */
  readonly settle?: () => Promise<void>
}

/**
 * Lets time pass second by second, with room in between for what wakes to work and to wait again: a timer that is set
 * every 10 s goes off three times in half a minute.
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
