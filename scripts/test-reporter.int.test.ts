import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { repositoryFiles } from './lib/repository-files.ts'
import { summarizeReasons } from './lib/test-reporter.ts'

const root = path.dirname(import.meta.dirname)

const suite = `
import { describe, expect, it } from 'vitest'
describe('a suite', () => {
  it('passes', () => { console.log('said by a test that passes') })
  it('fails', () => expect(1).toBe(2))
  for (const name of ['first', 'second']) it(name, ({ skip }) => skip('no engine: start it'))
  it('runs in part', ({ annotate }) => void annotate('needs Docker', 'not run'))
})
`

const config = `
import { TestReporter } from '../lib/test-reporter.ts'
export default { test: { silent: 'passed-only', reporters: [new TestReporter()] } }
`

it('prints what failed and one line per reason of what did not run, without passed tests and absolute paths', async () => {
  const folder = mkdtempSync(path.join(root, 'scripts/reporter-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, 'a.test.ts'), suite)
  writeFileSync(path.join(folder, 'vitest.config.ts'), config)
  const command = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const failed = await promisify(execFile)(process.execPath, command, { env: { PATH: '', NO_COLOR: '1' } }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  )
  const output = failed.stdout + failed.stderr
  expect(output).toContain('a.test.ts > a suite > fails')
  expect(output).toContain('expected 1 to be 2')
  expect(output).toMatch(/Tests\s+1 failed \| 2 passed \| 2 skipped \(5\)/)
  expect(output).toContain('not run: 1 test: needs Docker\nnot run: 2 tests: no engine: start it\n')
  expect(output).not.toMatch(/✓|^stdout/m)
  expect(output).not.toContain(root)
}, 30_000)

it('no test is skipped in a way that takes no reason', () => {
  const files = repositoryFiles(root, ['*.ts']).filter((file) => file !== 'scripts/test-reporter.int.test.ts')
  const withoutReason = /\b(describe|it|test)\.(runIf|skipIf|skip|todo)\b/
  expect(files.filter((file) => withoutReason.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([])
})

it('counts equal reasons whatever their line breaks', () => {
  expect(summarizeReasons(['b', 'a\n  c', 'a c'])).toEqual(['not run: 2 tests: a c', 'not run: 1 test: b'])
})
