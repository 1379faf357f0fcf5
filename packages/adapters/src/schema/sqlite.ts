import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { makePrivate } from '@cairn/domain/make-private'
import { type StoreDamage, storeDamage } from '@cairn/domain/ports/store-damage'
import { type Log, lastNumber, type Migration, type SchemaState } from './migrations.ts'

/** One transaction contains the step and its record, on one thread. */
export type SqliteMigration = Omit<Migration<DatabaseSync>, 'apply' | 'check'> & {
  readonly check?: (db: DatabaseSync) => void
  readonly apply: (db: DatabaseSync, log: Log) => void
}

export type SqliteMigrations = {
  readonly migrations: readonly SqliteMigration[]
  readonly log?: Log | undefined
  /** For a file that requires a step this version does not know. `requires` 0: not Cairn's file. */
  readonly refused: (requires: number) => Error
}

const value = (db: DatabaseSync, sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0)

/**
 * `user_version` is the last step that a process must know: version 0.1.0 rejects a file with any number but 1, and so
 * still works after later steps that only add. The last applied step is in `schema_steps`, which 0.1.0 does not write:
 * its files are at step 1.
 */
const stateOf = (db: DatabaseSync, refused: SqliteMigrations['refused']): SchemaState => {
  const requires = value(db, 'PRAGMA user_version')
  const hasRecord = value(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_steps'") === 1
  if (hasRecord) return { requires, number: value(db, 'SELECT max(number) FROM schema_steps') }
  if (requires > 0) return { requires, number: 1 }
  if (value(db, 'SELECT count(*) FROM sqlite_schema') > 0) throw refused(0)
  return { requires: 0, number: 0 }
}

/** Changes nothing. Throws if the file is not Cairn's, requires a newer version, or can't take a missing step. */
const checkSqlite = (db: DatabaseSync, { migrations, refused }: SqliteMigrations): SchemaState => {
  const state = stateOf(db, refused)
  if (state.requires > lastNumber(migrations)) throw refused(state.requires)
  if (state.number > 0) for (const step of migrations) if (step.number > state.number) step.check?.(db)
  return state
}

/** An empty file gets all steps; a current or rejected file stays. Only the owner of the file may call it. */
export const migrateSqlite = (
  db: DatabaseSync,
  { migrations, log = () => undefined, refused }: SqliteMigrations,
): void => {
  const state = checkSqlite(db, { migrations, refused })
  const own = lastNumber(migrations)
  let { requires } = state
  for (const step of migrations) {
    if (step.number <= state.number) continue
    const line = `schema step ${step.number} of ${own}, ${step.name}`
    // The tables of a new file are created at once: no progress to report.
    const logStep = state.number === 0 ? () => undefined : log
    logStep(line)
    requires = Math.max(requires, step.requires ?? 0)
    db.exec('BEGIN IMMEDIATE')
    try {
      step.apply(db, (text) => logStep(`${line}: ${text}`))
      db.exec(
        'CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)',
      )
      db.prepare('INSERT INTO schema_steps VALUES (?, ?, ?)').run(step.number, step.name, new Date().toISOString())
      db.exec(`PRAGMA user_version = ${requires}; COMMIT`)
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

export type OwnFile = {
  readonly file: string
  /** In errors, such as `record store`. */
  readonly what: string
  /** Besides starting the version that wrote the file: `use another data directory`. */
  readonly remedy: string
  readonly migrations: readonly SqliteMigration[]
  /** Applied before the first table is created. */
  readonly pragmas: string
  /** To wait for another connection's lock. Default 5,000. */
  readonly waitMs?: number | undefined
  readonly log?: Log | undefined
}

/** Leaves out the extended part; 0 for errors that are not SQLite's. */
export const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

const ioError = 10
const corrupt = 11
const notADatabase = 26
const damages: Readonly<Record<number, StoreDamage>> = {
  [ioError]: storeDamage.disk,
  [corrupt]: storeDamage.corrupt,
  [notADatabase]: storeDamage.corrupt,
}

export const damageError = (what: string, error: unknown): AppError | undefined => {
  const cause = damages[resultCode(error)]
  return cause && new AppError('unavailable', `The ${what} can't be used: ${cause}.`, { cause, retryAfterSeconds: 30 })
}

const foreignFile = ({ file, what, remedy }: Pick<OwnFile, 'file' | 'what' | 'remedy'>, cause?: unknown): AppError =>
  new AppError('conflict', `${file} is not a file of Cairn's ${what}: ${remedy}.`, { cause })

/**
 * For the store's only writer: creates the file with its folder if missing, and migrates it. AppError `conflict`,
 * before any change, if another program or a later version wrote it. Other failures are SQLite's own errors.
 */
export const openOwnFile = ({
  file,
  what,
  remedy,
  migrations,
  pragmas,
  waitMs = 5_000,
  log,
}: OwnFile): DatabaseSync => {
  const refused = (requires: number) =>
    requires === 0
      ? foreignFile({ file, what, remedy })
      : new AppError(
          'conflict',
          `${file} was written by another version of Cairn (schema ${requires}; this one reads ${lastNumber(migrations)}): start that version, or ${remedy}.`,
        )
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file, { timeout: waitMs })
  try {
    // Reads `user_version` before a pragma changes the file's header.
    checkSqlite(db, { migrations, refused })
    // A new file has no content yet. SQLite gives new -wal and -shm files the mode of the file.
    for (const suffix of ['', '-wal', '-shm']) makePrivate(file + suffix, 0o600)
    // The page size holds only if it is set before the journal mode.
    db.exec(`${pragmas}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`)
    migrateSqlite(db, { migrations, log, refused })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A file that is not a database is also `conflict`. */
export const openOwnFileAtStart = (own: OwnFile): DatabaseSync => {
  try {
    return openOwnFile(own)
  } catch (error) {
    throw resultCode(error) === notADatabase ? foreignFile(own, error) : error
  }
}
