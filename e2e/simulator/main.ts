import { parseArgs } from 'node:util'
import { hunt } from './hunt.ts'
import { plantedFaults } from './planted-faults.ts'
import { runSeed } from './run.ts'

/** Seeds in which a planted fault has to be noticed: the rarest shows in one of about 200. */
const defaultSeeds = 500

const usage = `npm run simulate -- [--seed N] [--runs M] [--trace] [--fault NAME|all]

  --seed N      the first seed; default 1
  --runs M      how many; default 100
  --trace       one run, step by step
  --fault NAME  with a clause taken out: runs until one notices; with --trace or --runs 1 that one run
                all: each of them in turn, which has to be noticed within --runs (default ${defaultSeeds}) seeds

Faults:
${plantedFaults.map(({ name, clause }) => `  ${name.padEnd(32)} without: ${clause}`).join('\n')}`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string' },
    fault: { type: 'string' },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const whole = (text: string | undefined, fallback: number): number =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : fallback
const first = whole(values.seed, 1)

const simulate = async (runs: number): Promise<boolean> => {
  const fault = plantedFaults.find(({ name }) => name === values.fault)
  const from = performance.now()
  let [steps, requests, virtualMs, failures] = [0, 0, 0, 0]
  for (let seed = first; seed < first + runs; seed += 1) {
    const result = await runSeed({ seed, fault, trace: values.trace ? console.log : undefined })
    steps += result.steps
    requests += result.requests
    virtualMs += result.virtualMs
    if (result.violations.length > 0) {
      failures += 1
      console.log(`seed ${seed}: ${result.violations.join('\n  ')}`)
      console.log(`  npm run simulate -- --seed ${seed}${fault ? ` --fault ${fault.name}` : ''} --trace`)
    }
    // Lets timers run: a simulation itself never leaves the tick queue.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const seconds = (performance.now() - from) / 1_000
  const hours = Math.round(virtualMs / 3_600_000)
  console.log(
    `${runs} runs: ${requests} requests in ${steps} steps and ${hours} simulated hours, ${seconds.toFixed(1)} s; ${failures} with a violation`,
  )
  return failures === 0
}

const huntAll = async (seeds: number): Promise<boolean> => {
  let unnoticed = 0
  for (const fault of plantedFaults) {
    if (values.fault !== 'all' && fault.name !== values.fault) continue
    const find = await hunt(fault, first, seeds)
    if (!find) unnoticed += 1
    console.log(
      `${fault.name.padEnd(32)} ${find ? `seed ${String(find.seed).padStart(4)}  ${find.violation}` : `unnoticed in ${seeds} seeds`}`,
    )
  }
  return unnoticed === 0
}

const known =
  values.fault === undefined || values.fault === 'all' || plantedFaults.some(({ name }) => name === values.fault)
const single = values.trace || values.runs === '1'
if (values.help || !known) {
  console.log(usage)
  process.exitCode = values.help ? 0 : 2
} else {
  const ok =
    values.fault === undefined || single
      ? await simulate(single ? 1 : whole(values.runs, 100))
      : await huntAll(whole(values.runs, defaultSeeds))
  process.exitCode = ok ? 0 : 1
}
