import type { DatabaseSync } from 'node:sqlite'
import { lastNumber, type Migration, type Say, type SchemaState } from './migrations.ts'

/** A step and its record are one transaction: it is done, or was never begun. It runs on one thread from end to end. */
export type SqliteMigration = Omit<Migration<DatabaseSync>, 'apply'> & { readonly apply: (db: DatabaseSync, say: Say) => void }

export type SqliteMigrations = {
  readonly migrations: readonly SqliteMigration[]
  readonly say?: Say | undefined
  /** What is thrown for a file that requires a step this version does not know, and, with 0, for one that is not Cairn's. */
  readonly refused: (requires: number) => Error
}

const value = (db: DatabaseSync, sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0)

/**
 * `user_version` is the last step a process must know: version 0.1.0 refuses a file in which it is not 1, and so runs on later steps
 * that only add. The number of the last step applied is in `schema_steps`, which 0.1.0 does not write: its files are at step 1.
 */
const stateOf = (db: DatabaseSync, refused: SqliteMigrations['refused']): SchemaState => {
  const requires = value(db, 'PRAGMA user_version')
  const hasRecord = value(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_steps'") === 1
  if (hasRecord) return { requires, number: value(db, 'SELECT max(number) FROM schema_steps') }
  if (requires > 0) return { requires, number: 1 }
  if (value(db, 'SELECT count(*) FROM sqlite_schema') > 0) throw refused(0)
  return { requires: 0, number: 0 }
}

/** Throws for a file that is refused; reads, and changes nothing. */
export const checkSqlite = (db: DatabaseSync, { migrations, refused }: SqliteMigrations): SchemaState => {
  const state = stateOf(db, refused)
  if (state.requires > lastNumber(migrations)) throw refused(state.requires)
  return state
}

/**
 * Brings a file to the form of this version, an empty one by all steps; nothing happens to one that has it, and nothing of a file that
 * is refused is changed. Only the process that owns the file may call it.
 */
export const migrateSqlite = (db: DatabaseSync, { migrations, say = () => undefined, refused }: SqliteMigrations): void => {
  const state = checkSqlite(db, { migrations, refused })
  const own = lastNumber(migrations)
  let { requires } = state
  for (const step of migrations) {
    if (step.number <= state.number) continue
    const line = `schema step ${step.number} of ${own}, ${step.name}`
    // Nobody waits for the tables of a new file.
    const tell = state.number === 0 ? () => undefined : say
    tell(line)
    requires = Math.max(requires, step.requires ?? 0)
    db.exec('BEGIN IMMEDIATE')
    try {
      step.apply(db, (text) => tell(`${line}: ${text}`))
      db.exec('CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)')
      db.prepare('INSERT INTO schema_steps VALUES (?, ?, ?)').run(step.number, step.name, new Date().toISOString())
      db.exec(`PRAGMA user_version = ${requires}; COMMIT`)
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
