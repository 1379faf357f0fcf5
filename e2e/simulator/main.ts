import { parseArgs } from 'node:util'
import { plantedFaults } from './planted-faults.ts'
import { runSeed } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    fault: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
})
const fault = values.fault === undefined ? undefined : plantedFaults.find(({ name }) => name === values.fault)
if (values.fault !== undefined && !fault) {
  console.error(`no such fault; there are: ${plantedFaults.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const first = Number(values.seed)
const runs = values.trace ? 1 : Number(values.runs)
const from = performance.now()
let steps = 0
let virtualMs = 0
let failures = 0
for (let seed = first; seed < first + runs; seed += 1) {
  const result = await runSeed({ seed, fault, trace: values.trace ? console.log : undefined })
  steps += result.steps
  virtualMs += result.virtualMs
  if (result.violations.length > 0) {
    failures += 1
    console.log(`seed ${seed}: ${result.violations.join('\n  ')}`)
    console.log(`  npm run simulate -- --seed ${seed} --runs 1${fault ? ` --fault '${fault.name}'` : ''} --trace`)
  }
  // Timers and signals get their turn: a run itself never leaves the tick queue.
  await new Promise((resolve) => setImmediate(resolve))
}
const seconds = (performance.now() - from) / 1_000
console.log(
  `${runs} runs, ${failures} with a violation; ${steps} steps, ${Math.round(virtualMs / 3_600_000)} h of simulated time in ${seconds.toFixed(1)} s`,
)
process.exitCode = failures > 0 && !fault ? 1 : 0
