import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { lastNumber, type Say } from '../schema/migrations.ts'
import { checkSqlite, migrateSqlite } from '../schema/sqlite.ts'
import { busMigrations } from './sqlite-migrations.ts'

const refused = (file: string) => (requires: number) =>
  new AppError(
    'conflict',
    `${file} has message bus schema ${requires}, this version reads ${lastNumber(busMigrations)}: ` +
      'start the version of Cairn that wrote it, or move the file away',
  )

/** Opens the file for the one writer, made or brought to this version's form. AppError `conflict` where a newer schema or another program wrote it. */
export const openForWriting = (file: string, say?: Say): DatabaseSync => {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  const schema = { migrations: busMigrations, say, refused: refused(file) }
  try {
    checkSqlite(db, schema)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608')
    migrateSqlite(db, schema)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
