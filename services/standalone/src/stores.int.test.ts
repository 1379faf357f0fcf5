import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteMetadata } from '@cairn/adapters/metadata/sqlite'
import { headerIn, migrateFiles, migrateMetadata } from '@cairn/adapters/sqlite-files'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { watchStores } from './stores.ts'

/** Returns whether this process has a POSIX lock on a file. */
const isLocked = (file: string): boolean => {
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  return lines.some((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `))
}

it("keeps SQLite's lock on a store, without which another program removes a log in use", async ({ skip }) => {
  skip(!existsSync('/proc/locks'), 'only Linux lists the locks of a process')
  const folder = temporaryDirectory()
  const at = (name: string) => join(folder, name)
  const files = { metadata: at('metadata.db'), vectors: at('vectors.db'), fileIndex: at('files/index.db') }
  migrateMetadata(files.metadata, () => undefined)
  migrateFiles({ ...files, formerBus: at('bus.db') }, 7, () => undefined)
  const metadata = sqliteMetadata({ file: files.metadata })
  await metadata.namespaces.page({ limit: 1 })
  expect(isLocked(files.metadata)).toBe(true)
  const watch = watchStores({ at, headerIn }, 7, 'secret')
  expect(watch.check()).toMatchObject({ ok: false, detail: expect.not.stringContaining('.db is') })
  expect(isLocked(files.metadata)).toBe(true)
  await metadata.close()
  await watch.close()
})
