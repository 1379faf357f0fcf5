// Names the failed tests of a vitest JSON report, each with the beginning of its message. Plain JavaScript: CI may run an older Node.
import { readFileSync } from 'node:fs'

const shown = 600
const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
for (const file of report.testResults) {
  if (file.status === 'failed' && file.message)
    process.stdout.write(`  ${file.name}: ${file.message.slice(0, shown)}\n`)
  for (const test of file.assertionResults) {
    if (test.status === 'failed')
      process.stdout.write(
        `  ${file.name} > ${test.fullName}\n    ${test.failureMessages.join('\n').slice(0, shown)}\n`,
      )
  }
}
