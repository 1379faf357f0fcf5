import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { reusableBytes } from './sqlite-files.ts'

it('tells the space that deleted rows have left within a file, while another connection has it open', () => {
  const file = temporaryFile('some.db')
  expect(reusableBytes(file)).toBe(0)
  const store = new DatabaseSync(file)
  store.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(400000))')
  expect(reusableBytes(file)).toBe(0)
  store.exec('DELETE FROM t')
  expect(reusableBytes(file)).toBeGreaterThan(390_000)
  store.close()
})

it('tells none of what is no file of SQLite', () => {
  const file = temporaryFile('other.db')
  writeFileSync(file, 'no database')
  expect(reusableBytes(file)).toBe(0)
})
