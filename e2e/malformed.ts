// npm run malformed: uploads files that are damaged in every known way to a running service. `--help` lists the
// options.
import { rmSync, writeFileSync } from 'node:fs'
import { openCanaries } from './malformed/canaries.ts'
import { type MalformedOptions, readOptions, usage } from './malformed/options.ts'
import { type Figures, figuresOf, linesOf } from './malformed/report.ts'
import { runType } from './malformed/run.ts'
import { startStandalone } from './target.ts'

const say = (line: string): void => console.log(line)
const sayEvery = 100

const run = async (options: MalformedOptions): Promise<void> => {
  const canaries = await openCanaries()
  const all: Figures[] = []
  for (const type of options.types) {
    // Each type has its own service, so that the effects of one type are not attributed to the next.
    const target = await startStandalone({ env: { CAIRN_LOG_LEVEL: 'info' } })
    const removeFiles = () => rmSync(target.dataDir, { recursive: true, force: true })
    process.once('exit', removeFiles)
    const figures = figuresOf(
      await runType(target, canaries, type, options, (done, finding) => {
        if (finding) say(`  FOUND  ${finding.what}\n         ${finding.command}`)
        if (done % sayEvery === 0) say(`  ${type} ${done}`)
      }),
    )
    const died = await target.stop().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    process.off('exit', removeFiles)
    all.push(died === undefined ? figures : { ...figures, findings: [...figures.findings, { what: died }] })
    for (const line of linesOf(all.at(-1) as Figures)) say(line)
    if (options.json !== undefined)
      writeFileSync(options.json, `${JSON.stringify({ ...options, types: all }, undefined, 2)}\n`)
  }
  canaries.close()
  const found = all.reduce((sum, { findings }) => sum + findings.length, 0)
  say(found === 0 ? 'nothing was found' : `${found} findings`)
  if (found > 0) process.exitCode = 1
}

// Exits on a signal, so that exit handlers end everything that was started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  const options = readOptions(process.argv.slice(2))
  if (options) await run(options)
  else say(usage)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
process.exit()
