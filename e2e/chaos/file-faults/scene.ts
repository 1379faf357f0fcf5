import type { FilePlace } from '../files/file-load.ts'
import type { Account } from '../load.ts'
import type { Stores } from '../open-stores.ts'
import type { Figures } from '../report.ts'
import type { System } from '../system.ts'

/** The system on which a fault of files is tried, with one namespace of an account without limits. */
export type Scene = {
  readonly system: System
  readonly stores: Stores
  readonly account: Account
  readonly place: FilePlace
  readonly seed: number
  readonly say: (line: string) => void
}

export type Tried = { readonly figures: Figures; readonly broken: readonly string[] }

/** Returns the number of files, and the median and the maximum of their times in seconds. */
export const spread = (ms: readonly number[]): Figures => {
  const sorted = ms.toSorted((a, b) => a - b)
  const seconds = (value = 0) => Math.round(value / 100) / 10
  return {
    files: ms.length,
    'median s': seconds(sorted[Math.floor(sorted.length / 2)]),
    'most s': seconds(sorted.at(-1)),
  }
}
