// npm run bench -- <name…|all> [--rounds N] [--megabytes N] [--side name…] [--quick] [--node-flag flag…]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { row as attack, clusterRow as clusterAttack } from './attack.ts'
import { row as clusterP8 } from './cluster/p8-vector-search.ts'
import { row as clusterP11 } from './cluster/p11-form-uploads.ts'
import { row as fairness } from './fairness.ts'
import { pinSelf, twoCores } from './harness/cores.ts'
import { minRounds } from './harness/judge.ts'
import { loadAverage, machine, type Report, report, toText } from './harness/report.ts'
import type { Context, Measured, Row } from './harness/row.ts'
import { row as p2 } from './p2-batch-uploads.ts'
import { row as p7 } from './p7-text-indexing.ts'
import { row as p13 } from './p13-lone-document.ts'
import { row as p14 } from './p14-file-pipeline.ts'
import { row as reindex } from './reindex.ts'
import { row as s5 } from './s5-large-files.ts'
import { row as s7 } from './s7-idle-footprint.ts'
import { row as s1 } from './scale/s1-cost-per-document.ts'
import { row as s2 } from './scale/s2-paging.ts'
import { row as s4 } from './scale/s4-many-tenants.ts'
import { row as s6 } from './scale/s6-full-queue.ts'
import { row as p18, modelRow as p18Model } from './search-modes.ts'
import { row as p16 } from './search-peers.ts'
import { comparison, largeComparison } from './vectors.ts'

const rows: readonly Row[] = [
  p2,
  p7,
  p13,
  p14,
  p16,
  p18,
  p18Model,
  s1,
  s2,
  s4,
  s5,
  s6,
  s7,
  comparison,
  largeComparison,
  attack,
  fairness,
  reindex,
  clusterP8,
  clusterP11,
  clusterAttack,
]

const results = join(import.meta.dirname, 'results')
const usage = `npm run bench -- <${rows.map(({ name }) => name).join(' | ')} | all> [--rounds N] [--megabytes N] [--side NAME] [--quick] [--node-flag=FLAG]
  --rounds     rounds of each side, ${minRounds} at least for a verdict (default ${minRounds})
  --megabytes  of each file, for rows whose files may have any size
  --side       only this side of a row, for figures that stand alone; may be repeated
  --quick      short rounds, small data, no verdict
  --node-flag  a flag of Node for the measured processes, such as --cpu-prof; may be repeated

Results are written to bench/results.`

const options = {
  rounds: { type: 'string', default: String(minRounds) },
  megabytes: { type: 'string' },
  side: { type: 'string', multiple: true },
  quick: { type: 'boolean', default: false },
  'node-flag': { type: 'string', multiple: true },
  help: { type: 'boolean', default: false },
} as const

const print = (line = '') => console.log(line)

/**
 * Rejects on SIGINT and SIGTERM, so that everything open is closed as in a normal run; a cluster would otherwise keep
 * running.
 */
const stopped = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
})
stopped.catch(() => undefined)

/** Runs the sides alternately (A B, B A, A B …), so that a drift of the machine affects both equally. */
const measure = async (
  row: Row,
  { rounds, only }: { readonly rounds: number; readonly only: readonly string[] },
  context: Context,
): Promise<ReadonlyMap<string, readonly Measured[]>> => {
  const opening = row.open(context)
  const opened = await Promise.race([opening, stopped]).catch(async (error: unknown) => {
    await (await opening).close?.()
    throw error
  })
  const sides = opened.sides.filter(({ name }) => only.length === 0 || only.includes(name))
  const measured = new Map<string, Measured[]>(sides.map(({ name }) => [name, []]))
  let going: Promise<Measured> | undefined
  try {
    for (let round = 1 - (row.warmUps ?? 1); round <= rounds; round += 1) {
      for (const { name, round: once } of round % 2 === 1 ? sides : sides.toReversed()) {
        going = once()
        const figures = await Promise.race([going, stopped])
        if (round > 0) measured.get(name)?.push(figures)
        process.stderr.write(
          `  ${row.name} ${round <= 0 ? 'warm-up' : `${round}/${rounds}`} ${name} ${JSON.stringify(figures)}\n`,
        )
      }
    }
  } finally {
    // An interrupted round still has processes to stop.
    await Promise.allSettled([going])
    await opened.close?.()
  }
  return measured
}

const run = async (
  row: Row,
  {
    rounds,
    only,
    ...context
  }: Pick<Context, 'quick' | 'megabytes' | 'nodeFlags'> & { readonly rounds: number; readonly only: readonly string[] },
): Promise<Report> => {
  const cores = row.pinned ? twoCores() : undefined
  const about = {
    at: new Date().toISOString(),
    machine: machine(),
    loadBefore: loadAverage(),
    pinned: cores !== undefined,
    quick: context.quick,
    nodeFlags: context.nodeFlags,
  }
  const directory = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  if (cores) pinSelf(cores.load)
  try {
    const measured = await measure(row, { rounds, only }, { ...context, subjectCore: cores?.subject, directory })
    const marks = row.marks?.filter(({ sides }) => sides.every((side) => measured.has(side)))
    return report({ ...row, marks: marks ?? [] }, measured, about)
  } finally {
    if (cores) pinSelf(undefined)
    rmSync(directory, { recursive: true, force: true })
  }
}

const chosen = (args: readonly string[]): Row[] => {
  const names = args.map((name) => name.toLowerCase())
  const unknown = names.filter((name) => name !== 'all' && !rows.some((row) => row.name.toLowerCase() === name))
  if (names.length === 0 || unknown.length > 0) {
    print(usage)
    process.exit(2)
  }
  return rows.filter(({ name }) => names.includes('all') || names.includes(name.toLowerCase()))
}

const main = async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const selected = values.help ? chosen([]) : chosen(positionals)
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100)
    throw new Error('--rounds is a whole number from 1 to 100')
  const megabytes = values.megabytes === undefined ? undefined : Number(values.megabytes)
  if (megabytes !== undefined && !(megabytes > 0 && megabytes <= 5_000))
    throw new Error('--megabytes is a number up to 5000')
  const nodeFlags = values['node-flag'] ?? []
  const reports: Report[] = []
  for (const row of selected) {
    const missing = await row.missing?.()
    if (missing === undefined) {
      const done = await run(row, { rounds, only: values.side ?? [], quick: values.quick, megabytes, nodeFlags })
      reports.push(done)
      print(toText(row, done))
    } else print(`${row.name}: left out, ${missing}`)
    print()
  }
  mkdirSync(results, { recursive: true })
  const file = join(results, `${new Date().toISOString().replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(reports, undefined, 2)}\n`)
  print(`\nwritten to ${file}`)
  if (reports.some(({ marks }) => marks.some(({ verdict }) => verdict === 'missed'))) process.exitCode = 1
}

await main()
