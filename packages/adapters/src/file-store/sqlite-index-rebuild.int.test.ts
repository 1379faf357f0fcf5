import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { sqliteStore } from '../store/sqlite.ts'
import { rebuildFileIndex } from './sqlite-index-rebuild.ts'

it('renames the log of a missing file, because SQLite would replay it into the new file', async () => {
  const folder = temporaryDirectory()
  const [files, storeFile] = [join(folder, 'files'), join(folder, 'metadata.db')]
  const store = sqliteStore({ file: storeFile })
  await store.namespaces.page({ limit: 1 })
  await store.close()
  mkdirSync(files)
  writeFileSync(join(files, 'index.db-wal'), 'the log of the lost file')
  expect(await rebuildFileIndex(files, storeFile, join(files, 'kept'))).toEqual({
    found: 0,
    missing: 0,
    unmatched: 0,
  })
  const names = readdirSync(files)
  expect(names).toContain('index.db')
  expect(names).not.toContain('index.db-wal')
  expect(names).toContain('kept-wal')
})
