import { chmodSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { migrateSqlite, openOwnFile, type SqliteMigration } from './sqlite.ts'

const first: SqliteMigration = {
  number: 1,
  name: 'tables',
  requires: 1,
  apply: (db) => db.exec('CREATE TABLE notes (id, text)'),
}
const adds: SqliteMigration = {
  number: 2,
  name: 'marks',
  apply: (db, log) => {
    db.exec('ALTER TABLE notes ADD COLUMN mark')
    db.exec("UPDATE notes SET mark = 'none'")
    log(`${db.prepare('SELECT count(*) AS n FROM notes').get()?.['n']} notes`)
  },
}
const takes: SqliteMigration = {
  number: 3,
  name: 'no texts',
  requires: 2,
  apply: (db) => db.exec('ALTER TABLE notes DROP COLUMN text'),
}

const scene = () => {
  const file = join(temporaryDirectory(), 'notes.db')
  const lines: string[] = []
  const open = () => {
    const db = new DatabaseSync(file)
    onTestFinished(() => (db.isOpen ? db.close() : undefined))
    return db
  }
  const migrate = (migrations: readonly SqliteMigration[], db = open()) => {
    migrateSqlite(db, {
      migrations,
      log: (line) => void lines.push(line),
      refused: (requires) => new Error(`refused ${requires}`),
    })
    return db
  }
  /** Creates a file as 0.1.0 does: with its tables and `user_version`, but without recorded steps. */
  const of010 = () => {
    const db = open()
    db.exec("CREATE TABLE notes (id, text); INSERT INTO notes VALUES (1, 'one'); PRAGMA user_version = 1")
    db.close()
  }
  const steps = (db: DatabaseSync) =>
    db
      .prepare('SELECT number FROM schema_steps ORDER BY number')
      .all()
      .map((row) => row['number'])
  const version = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.['user_version']
  return { open, migrate, of010, steps, version, lines }
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

it.each(['new', 'left by a crash, readable by all'])('makes a file that is %s readable by its owner only', (state) => {
  const file = join(temporaryDirectory(), 'folder', 'notes.db')
  const all = [file, `${file}-wal`, `${file}-shm`]
  const own = { file, what: 'notes', remedy: 'use another file', migrations: [first], pragmas: '' }
  if (state !== 'new') {
    // The other connection keeps the log from being removed.
    const [one, other] = [openOwnFile(own), new DatabaseSync(file)]
    onTestFinished(() => other.close())
    other.prepare('SELECT * FROM notes').all()
    one.close()
    for (const each of all) chmodSync(each, 0o644)
  }
  const db = openOwnFile(own)
  onTestFinished(() => db.close())
  db.exec("INSERT INTO notes VALUES (1, 'one')")
  expect(all.map(modeOf)).toEqual(['600', '600', '600'])
  expect(modeOf(dirname(file))).toBe('700')
})

it('applies the steps since 0.1.0 to such a file, logs them, and applies nothing the second time', () => {
  const { migrate, of010, steps, lines } = scene()
  of010()
  const db = migrate([first, adds])
  expect(db.prepare('SELECT * FROM notes').all()).toEqual([{ id: 1, text: 'one', mark: 'none' }])
  expect(steps(db)).toEqual([2])
  expect(lines).toEqual(['schema step 2 of 2, marks', 'schema step 2 of 2, marks: 1 notes'])
  migrate([first, adds])
  expect(lines).toHaveLength(2)
})

it('changes nothing if the data fail the check of a later step, and checks nothing in a new file', () => {
  const { migrate, of010, steps, lines, open } = scene()
  const picky: SqliteMigration = {
    ...takes,
    check: (db) => {
      if (db.prepare('SELECT 1 FROM notes').get()) throw new Error('notes are left')
    },
  }
  of010()
  expect(() => migrate([first, adds, picky])).toThrow('notes are left')
  expect(lines).toEqual([])
  const db = open()
  expect(db.prepare('SELECT * FROM notes').all()).toEqual([{ id: 1, text: 'one' }])
  db.exec('DELETE FROM notes')
  expect(steps(migrate([first, adds, picky], db))).toEqual([2, 3])
  expect(steps(scene().migrate([first, adds, picky]))).toEqual([1, 2, 3])
})

it('creates an empty file by all steps, without logging them', () => {
  const { migrate, steps, lines } = scene()
  expect(steps(migrate([first, adds, takes]))).toEqual([1, 2, 3])
  expect(lines).toEqual([])
})

it('lets earlier versions open a file after an additive step, and rejects them after a removal', () => {
  const { migrate, of010, version } = scene()
  of010()
  // 0.1.0 accepts only files with this `user_version`.
  expect(version(migrate([first, adds]))).toBe(1)
  const older = migrate([first])
  older.exec("INSERT INTO notes (id, text) VALUES (2, 'two')")
  expect(version(migrate([first, adds, takes]))).toBe(2)
  expect(() => migrate([first])).toThrow('refused 2')
  migrate([first, adds])
})

it.each([1, 2, 3])('repeats step %i after a crash in the middle of it', (cut) => {
  const { open, migrate, steps } = scene()
  const all = [first, adds, takes]
  const db = open()
  const dies = all.map((step) => ({
    ...step,
    apply: (context: DatabaseSync) => {
      step.apply(context, () => undefined)
      // A killed process neither commits nor rolls back.
      if (step.number === cut) db.close()
    },
  }))
  expect(() => migrate(dies, db)).toThrow()
  const next = migrate(all)
  expect(steps(next)).toEqual([1, 2, 3])
  expect(next.prepare('SELECT name FROM pragma_table_info(?)').all('notes')).toEqual([{ name: 'id' }, { name: 'mark' }])
})

it('rejects the file of another program and leaves it unchanged', () => {
  const { open, migrate, version } = scene()
  open().exec('CREATE TABLE recipes (name TEXT)')
  expect(() => migrate([first])).toThrow('refused 0')
  const db = open()
  expect(version(db)).toBe(0)
  expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'recipes' }])
})
