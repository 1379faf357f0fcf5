import { cpus, loadavg, totalmem } from 'node:os'
import { type Compared, compare, type Judged, judge, median, type Rounds, spread } from './judge.ts'
import type { Comparison, Mark, Measured, Row } from './row.ts'

/** Describes the machine, because figures depend on it. */
export const machine = () => ({
  node: process.version,
  system: `${process.platform} ${process.arch}`,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
})

/** Returns the load average of the last minute; above 1.5 on two cores, something else is running. */
export const loadAverage = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100

type SideReport = {
  readonly name: string
  readonly rounds: readonly Measured[]
  readonly medians: Measured
  /** Highest minus lowest round, as a share of the median. */
  readonly spreads: Measured
}

/** Results of one row, as written to the results file. */
export type Report = {
  readonly row: string
  readonly what: string
  readonly method: string
  readonly at: string
  readonly machine: ReturnType<typeof machine>
  /** Load average of the machine before the first round. */
  readonly loadBefore: number
  readonly pinned: boolean
  readonly quick: boolean
  readonly nodeFlags: readonly string[]
  readonly sides: readonly SideReport[]
  readonly marks: readonly (Pick<Mark, 'what' | 'atLeast' | 'atMost'> & Judged)[]
  readonly comparisons: readonly (Pick<Comparison, 'what'> & Compared)[]
}

const figuresOf = (rounds: readonly Measured[], of: (values: number[]) => number): Measured =>
  Object.fromEntries(
    Object.keys(rounds[0] ?? {}).map((name) => [name, of(rounds.map((round) => round[name] as number))]),
  )

export const report = (
  row: Row,
  rounds: Rounds,
  about: Pick<Report, 'at' | 'machine' | 'loadBefore' | 'pinned' | 'quick' | 'nodeFlags'>,
): Report => ({
  row: row.name,
  what: row.what,
  method: row.method,
  ...about,
  sides: [...rounds].map(([name, all]) => ({
    name,
    rounds: all,
    medians: figuresOf(all, median),
    spreads: figuresOf(all, spread),
  })),
  marks: (row.marks ?? []).map((mark) => {
    const { what, atLeast, atMost } = mark
    const judged: Judged = judge(mark, rounds)
    const verdict: Judged = about.quick
      ? { value: judged.value, verdict: 'not decided', reason: 'a quick run' }
      : judged
    return {
      what,
      ...(atLeast === undefined ? {} : { atLeast }),
      ...(atMost === undefined ? {} : { atMost }),
      ...verdict,
    }
  }),
  comparisons: (row.comparisons ?? []).map((comparison) => ({ what: comparison.what, ...compare(comparison, rounds) })),
})

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

const digitsOf = (value: number): number => (Math.abs(value) < 10 ? 3 : 1)

const toMarkText = ({ what, atLeast, atMost, value, verdict, reason }: Report['marks'][number]): string => {
  const bound = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`
  return `  ${what}: ${number(value, digitsOf(value))} (${bound})  ${verdict}${reason === undefined ? '' : `: ${reason}`}`
}

const toComparisonText = ({ what, value, reason }: Report['comparisons'][number]): string =>
  `  ${what}: ${number(value, digitsOf(value))} (no mark)${reason === undefined ? '' : `  in doubt: ${reason}`}`

/** Formats a report as text for people. */
export const toText = (row: Row, { what, method, pinned, loadBefore, sides, marks, comparisons }: Report): string => {
  const lines = sides.flatMap(({ name, rounds, medians, spreads }) =>
    row.figures
      .filter((figure) => medians[figure.name] !== undefined)
      .map(({ name: figure, unit, digits }, index) => {
        const side = index === 0 ? `${name}, ${rounds.length} rounds` : ''
        const middle = number(medians[figure] as number, digits)
        return `  ${side.padEnd(32)} ${figure.padEnd(18)} ${middle.padStart(12)} ${unit.padEnd(22)} spread ${Math.round((spreads[figure] as number) * 100)} %`
      }),
  )
  const cores = pinned ? 'load on core 0, measured process on core 1' : 'not pinned to cores'
  const head = [`${row.name}: ${what}`, `  ${method}`, `  ${cores}; load average before: ${loadBefore}`]
  return [...head, ...lines, ...marks.map(toMarkText), ...comparisons.map(toComparisonText)].join('\n')
}
