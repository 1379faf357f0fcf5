import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Figures = { readonly [name: string]: number | string | Figures }

/** The result of a run. */
export type Outcome = {
  readonly title: string
  readonly figures: Figures
  /** Broken promises, a sentence each. */
  readonly broken: readonly string[]
  /** Scheduled faults, one line each. */
  readonly schedule: readonly string[]
  /** Folder of the logs, which is kept if a promise was broken or the run failed. */
  readonly logs: string
  /** Total duration in seconds. */
  readonly seconds: number
}

const shown = 50

const written = (value: number | string | Figures): string =>
  typeof value === 'number'
    ? value.toLocaleString('en-US')
    : typeof value === 'string'
      ? value
      : Object.entries(value)
          .map(([name, inner]) => `${name} ${written(inner)}`)
          .join(', ') || 'none'

export const linesOf = ({ title, figures, broken, logs, seconds }: Outcome): string[] => [
  title,
  ...Object.entries(figures).map(([name, value]) => `${name.padEnd(18)}${written(value)}`),
  `${'seconds'.padEnd(18)}${seconds}`,
  ...(broken.length === 0
    ? [figures['notRun'] === undefined ? 'held              every promise' : 'not run']
    : [
        `BROKEN            ${broken.length}; logs and schedule: ${logs}`,
        ...broken.slice(0, shown).map((one) => `  ${one}`),
      ]),
]

/** Writes a trace of the run next to the logs, for finding the cause. */
export const keepTrace = ({ title, broken, schedule, logs }: Outcome): void =>
  writeFileSync(join(logs, 'run.txt'), [title, '', ...schedule, '', ...broken, ''].join('\n'))
