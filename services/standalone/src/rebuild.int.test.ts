import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { openDataDirectory } from './data-directory.ts'

const run = (dataDir: string, args = ['rebuild', '--reembed']) => {
  const env = { PATH: '/usr/bin:/bin', CAIRN_DATA_DIR: dataDir, CAIRN_EMBEDDER: 'lexical', PORT: '0' }
  return spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
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

it.each([
  ['another secret', () => 0, 'secret is not the one of this installation'],
  [
    'metadata of a later version',
    (dataDir: string) => {
      // The header's `user_version`.
      const database = readFileSync(join(dataDir, 'metadata.db'))
      database.writeUInt32BE(9_999, 60)
      writeFileSync(join(dataDir, 'metadata.db'), database)
    },
    'metadata.db was written by another version of Cairn',
  ],
])('refuses %s as a start does, before it makes a damaged store again', { timeout: 60_000 }, (_, act, said) => {
  const dataDir = temporaryDirectory()
  expect(run(dataDir).status).toBe(0)
  writeFileSync(join(dataDir, 'secret'), 'the secret of the data directory')
  writeFileSync(join(dataDir, 'installation'), 'the check of another secret')
  for (const name of ['vectors.db', 'files/index.db']) writeFileSync(join(dataDir, name), 'no database')
  act(dataDir)
  const [rebuilt, started] = [run(dataDir), run(dataDir, [])]
  expect([rebuilt.status, rebuilt.stderr]).toEqual([1, expect.stringContaining(said)])
  expect([started.status, started.stderr]).toEqual([1, rebuilt.stderr])
  expect(readdirSync(dataDir, { recursive: true }).filter((name) => /set-aside|lost$/.test(String(name)))).toEqual([])
})
