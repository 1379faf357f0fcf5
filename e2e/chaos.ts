// npm run chaos: applies faults to a dedicated cluster, or to one process (npm run crash-test), under load. `--help` lists the options.
import { writeFileSync } from 'node:fs'
import { runFileFaults } from './chaos/file-faults/run-file-faults.ts'
import { runFiles } from './chaos/files/run-files.ts'
import { runCrashTest } from './chaos/one-process/run-crash-test.ts'
import { type Command, readCommand, usage } from './chaos/options.ts'
import { keepTrace, linesOf, type Outcome } from './chaos/report.ts'
import { runChaos } from './chaos/run-chaos.ts'
import { runFullDisk } from './chaos/run-full-disk.ts'
import { runOutage } from './chaos/run-outage.ts'
import { runRevoke } from './chaos/run-revoke.ts'

const say = (line: string): void => console.log(line)

const run = (command: Exclude<Command, { mode: 'help' }>): Promise<Outcome> => {
  switch (command.mode) {
    case 'chaos':
      return runChaos(command, say)
    case 'outage':
      return runOutage(command, say)
    case 'full disk':
      return runFullDisk(command, say)
    case 'revoke':
      return runRevoke(command, say)
    case 'file faults':
      return runFileFaults(command, say)
    case 'crash test':
      return runCrashTest(command, say)
    case 'files':
      return runFiles(command, say)
  }
}

const main = async (): Promise<void> => {
  const command = readCommand(process.argv.slice(2))
  if (command.mode === 'help') return say(usage)
  const outcome = await run(command)
  for (const line of linesOf(outcome)) say(line)
  const { title, figures, broken, seconds } = outcome
  if (command.json !== undefined)
    writeFileSync(command.json, `${JSON.stringify({ title, ...command, figures, broken, seconds }, undefined, 2)}\n`)
  if (broken.length === 0) return
  keepTrace(outcome)
  process.exitCode = 1
}

// Exits on a signal, so that exit handlers end everything that was started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
// Exits explicitly: a Kafka consumer that was just joining its group would keep retrying forever.
process.exit()
