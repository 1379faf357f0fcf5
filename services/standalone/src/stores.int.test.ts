import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { headerIn, migrateFiles, migrateStore } from '@cairn/adapters/sqlite-files'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { watchStores } from './stores.ts'

/** Returns whether this process has a POSIX lock on a file. */
const isLocked = (file: string): boolean => {
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  return lines.some((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `))
}

/** Creates the stores of the installation 7. */
const newStores = () => {
  const folder = temporaryDirectory()
  const at = (name: string) => join(folder, name)
  const files = { metadata: at('metadata.db'), vectors: at('vectors.db'), fileIndex: at('files/index.db') }
  migrateStore(files.metadata, () => undefined)
  migrateFiles(files, 7, () => undefined)
  return { at, files }
}
const writeTag = (file: string, tag: number): void => {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.from([0, 0, 0, tag]), 0, 4, 68)
  closeSync(handle)
}

it("keeps SQLite's lock on a store, without which another program removes a log in use", async ({ skip }) => {
  skip(!existsSync('/proc/locks'), 'only Linux lists the locks of a process')
  const { at, files } = newStores()
  const store = sqliteStore({ file: files.metadata })
  await store.namespaces.page({ limit: 1 })
  expect(isLocked(files.metadata)).toBe(true)
  const watch = watchStores({ at, headerIn }, 7, 'secret')
  expect(watch.check()).toMatchObject({ ok: false, detail: expect.not.stringContaining('.db is') })
  expect(isLocked(files.metadata)).toBe(true)
  await store.close()
  await watch.close()
})

it('takes an error of the disk for damage until it passes, also at the end', async () => {
  const { at, files } = newStores()
  mkdirSync(at('files/content/ab'), { recursive: true })
  let failure: Error | undefined
  const watch = watchStores(
    {
      at,
      headerIn: (handle) => {
        if (failure) throw failure
        return headerIn(handle)
      },
    },
    7,
    'secret',
  )
  watch.begin()
  expect(watch.check()).toEqual({ ok: true })
  failure = Object.assign(new Error('read failed'), { code: 'EIO' })
  expect(watch.check()).toMatchObject({ ok: false, detail: expect.stringContaining('vectors.db is damaged') })
  failure = undefined
  expect(watch.check()).toEqual({ ok: true })
  writeTag(files.vectors, 9)
  expect(watch.check()).toMatchObject({
    detail: expect.stringMatching(/^vectors\.db belongs to another installation\./),
  })
  failure = new Error('read failed')
  await watch.close()
  expect(existsSync(at('unclean'))).toBe(true)
})
