import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { openDataDirectory } from './data-directory.ts'

const run = (dataDir: string) => {
  const env = { PATH: '/usr/bin:/bin', CAIRN_DATA_DIR: dataDir, CAIRN_EMBEDDER: 'lexical' }
  return spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), 'rebuild', '--reembed'], {
    env,
    encoding: 'utf8',
  })
}

it('rebuilds the index of a data directory and ends', { timeout: 30_000 }, () => {
  const { status, stdout, stderr } = run(temporaryDirectory())
  expect({ status, stdout: JSON.parse(stdout), stderr }).toEqual({
    status: 0,
    stdout: { namespaces: 0, items: 0, points: 0, skipped: [] },
    stderr: '',
  })
})

it('rebuilds nothing while a process serves the data directory', { timeout: 30_000 }, async () => {
  const dataDir = temporaryDirectory()
  const held = openDataDirectory(dataDir)
  const { status, stderr } = run(dataDir)
  await held.close()
  expect(status).toBe(1)
  expect(stderr).toMatch(/The data directory .* is in use by process \d+/)
})
