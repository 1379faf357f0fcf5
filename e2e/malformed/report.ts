import type { Ended, TypeRun } from './run.ts'

const mebibytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10

/** Counts each value, the most frequent first. */
const tally = (values: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, left], [, right]) => right - left))
}

const maxBy = (ended: readonly Ended[], of: (one: Ended) => number): Ended | undefined =>
  ended.reduce<Ended | undefined>((best, one) => (best && of(best) >= of(one) ? best : one), undefined)

const described = (one: Ended | undefined) =>
  one?.reading && {
    kind: one.case.kind,
    seed: one.case.seed,
    outcome: one.outcome,
    seconds: Math.round(one.reading.ms / 10) / 100,
    mebibytes: mebibytes(one.reading.peakBytes),
  }

/** Returns the figures of a run of one type. */
export const figuresOf = ({ type, ended, findings, seconds }: TypeRun) => {
  const slowest = maxBy(ended, ({ reading }) => reading?.ms ?? 0)
  const largest = maxBy(ended, ({ reading }) => reading?.peakBytes ?? 0)
  const kinds = [...new Set(ended.map((one) => one.case.kind))].sort()
  return {
    type,
    files: ended.length,
    seconds: Math.round(seconds),
    read: ended.filter(({ reading }) => reading).length,
    outcomes: tally(ended.map(({ outcome }) => outcome)),
    slowest: described(slowest),
    largest: described(largest),
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, tally(ended.filter((one) => one.case.kind === kind).map(({ outcome }) => outcome))]),
    ),
    findings,
  }
}

export type Figures = ReturnType<typeof figuresOf>

const counted = (outcomes: Record<string, number>): string =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ')

/** Formats the figures as text for people. */
export const linesOf = ({
  type,
  files,
  seconds,
  read,
  outcomes,
  slowest,
  largest,
  kinds,
  findings,
}: Figures): string[] => [
  `${type.padEnd(6)} ${files} files in ${seconds} s, ${read} of them read by a process of their own`,
  `  ${counted(outcomes)}`,
  ...(slowest ? [`  slowest ${slowest.seconds} s: ${slowest.kind}, seed ${slowest.seed}, ${slowest.outcome}`] : []),
  ...(largest ? [`  largest ${largest.mebibytes} MiB: ${largest.kind}, seed ${largest.seed}, ${largest.outcome}`] : []),
  ...Object.entries(kinds).map(([kind, of]) => `    ${kind.padEnd(30)} ${counted(of)}`),
  ...findings.flatMap(({ what, command }) => [`  FOUND  ${what}`, ...(command ? [`         ${command}`] : [])]),
]
