import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileReasons } from '@cairn/contracts/file-reasons'
import { expect, it } from 'vitest'

it('is told in docs/files-report.md why files fail, as they are told it themselves', () => {
  const report = readFileSync(join(import.meta.dirname, '../../docs/files-report.md'), 'utf8')
  const rows = report.split('\n').filter((line) => /^\| `[a-z_]+` \|/.test(line))
  expect(rows).toEqual(
    Object.entries(fileReasons).map(([code, { message, remedy }]) => `| \`${code}\` | ${message} | ${remedy} |`),
  )
})
