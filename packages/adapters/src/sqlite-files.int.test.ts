import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { damageOf, storeDamage } from '@cairn/domain/ports/store-damage'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished, vi } from 'vitest'
import { damageError } from './schema/sqlite.ts'
import { headerOf, isSound, reusableBytes, setAside } from './sqlite-files.ts'
import { sqliteVectorIndex } from './vector-index/sqlite.ts'

it('returns the space that deleted rows left in a file that another connection has open', () => {
  const file = temporaryFile('some.db')
  expect(reusableBytes(file)).toBe(0)
  const store = new DatabaseSync(file)
  store.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(400000))')
  expect(reusableBytes(file)).toBe(0)
  store.exec('DELETE FROM t')
  expect(reusableBytes(file)).toBeGreaterThan(390_000)
  store.close()
})

it("returns no free space for a file that is not SQLite's", () => {
  const file = temporaryFile('other.db')
  writeFileSync(file, 'no database')
  expect(reusableBytes(file)).toBe(0)
})

const log = () => undefined

/** Overwrites all pages but the first. */
const overwrite = (file: string, pageBytes: number): void => {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(readFileSync(file).length - pageBytes, 0x5a), 0, undefined, pageBytes)
  closeSync(handle)
}

/** Creates a database whose pages are damaged. */
const damagedFile = (): string => {
  const file = temporaryFile('some.db')
  const store = new DatabaseSync(file)
  store.exec('PRAGMA application_id = 77; CREATE TABLE t (x)')
  const insert = store.prepare('INSERT INTO t VALUES (?)')
  for (let row = 0; row < 200; row += 1) insert.run('x'.repeat(1_000))
  store.close()
  expect([headerOf(file)?.tag, isSound(file, log)]).toEqual([77, true])
  overwrite(file, 4_096)
  return file
}

it('finds damaged pages, and keeps the file under another name', () => {
  const file = damagedFile()
  writeFileSync(`${file}-wal`, '')
  expect([headerOf(file)?.tag, isSound(file, log)]).toEqual([77, false])
  const kept = `${file}.kept`
  setAside(file, kept)
  expect([existsSync(file), existsSync(`${file}-wal`), existsSync(kept), existsSync(`${kept}-wal`)]).toEqual([
    false,
    false,
    true,
    true,
  ])
  // As after a crash once the file was made again.
  const damagedBytes = readFileSync(kept)
  writeFileSync(file, 'made since')
  writeFileSync(`${file}-wal`, 'its log')
  setAside(file, kept)
  expect([existsSync(file), existsSync(`${file}-wal`), readFileSync(kept)]).toEqual([false, false, damagedBytes])
})

it('logs which file is read, and the share that is read every five seconds', () => {
  const file = temporaryFile('some.db')
  const store = new DatabaseSync(file)
  store.exec('CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(9000000))')
  store.close()
  const lines: string[] = []
  expect(isSound(file, (line) => lines.push(line))).toBe(true)
  expect(lines).toEqual([`${file}: reading all pages (10 MB)`])
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 3_000))
  onTestFinished(() => void vi.restoreAllMocks())
  expect(isSound(file, (line) => lines.push(line))).toBe(true)
  expect(lines.slice(2)).toEqual([`${file}: 93 % read`, `${file}: 100 % read`])
})

it('recognizes a file that is not a database', () => {
  const file = temporaryFile('other.db')
  writeFileSync(file, 'no database, but a text that is longer than the header of a database is'.repeat(10))
  expect([headerOf(file), isSound(file, log)]).toEqual([undefined, false])
})

it.each([
  [10, storeDamage.disk],
  [10 | (3 << 8), storeDamage.disk],
  [11, storeDamage.corrupt],
  [26, storeDamage.corrupt],
  [13, undefined],
  [5, undefined],
])('result %i is the damage %s', (errcode, damage) => {
  expect(damageOf(damageError('store', Object.assign(new Error('failed'), { errcode })))).toBe(damage)
})

it('reports a damaged store across threads', async () => {
  const file = temporaryFile('vectors.db')
  const space = { key: 'vectors', dimension: 2 }
  const points = Array.from({ length: 500 }, (_, number) => ({
    namespaceId: 'n',
    itemId: `item ${number}`,
    version: 'v',
    passage: 0,
    vector: Float32Array.of(1, number),
    terms: [],
    words: [],
  }))
  const first = sqliteVectorIndex({ file })
  await first.upsert(space, points)
  await first.close()
  overwrite(file, 8_192)
  const second = sqliteVectorIndex({ file })
  const failure = await second.removeNamespace(space, 'n', 1_000).catch((error: unknown) => error)
  await second.close()
  expect(damageOf(failure)).toBe(storeDamage.corrupt)
})
