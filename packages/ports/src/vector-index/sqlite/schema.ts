import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { lastNumber, type Say } from '../../schema/migrations.ts'
import { checkSqlite, migrateSqlite } from '../../schema/sqlite.ts'
import { vectorMigrations } from './migrations.ts'

/** Partition number and slot share the 53 bits of an exact JavaScript integer: 2^25 partitions of 2^28 slots. */
export const slotsPerPartition = 2 ** 28
export const lastPartition = 2 ** 25 - 1
export const lastSlot = slotsPerPartition - 1
export const pointId = (partition: number, slot: number): number => partition * slotsPerPartition + slot
export const partitionOf = (id: number): number => Math.floor(id / slotsPerPartition)
export const slotOf = (id: number): number => id % slotsPerPartition

const refused = (file: string) => (requires: number) =>
  new AppError(
    'conflict',
    `The vector index ${file} has schema ${requires}, and this version reads schema ${lastNumber(vectorMigrations)}: ` +
      'start the version that wrote it, or move the file away and have the index rebuilt',
  )

/** Opens the file for the one writer, made or brought to this version's form. AppError `conflict` where a newer schema or another program wrote it. */
export const openForWriting = (
  file: string,
  { waitMs = 5_000, say }: { readonly waitMs?: number; readonly say?: Say } = {},
): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file, { timeout: waitMs })
  const schema = { migrations: vectorMigrations, say, refused: refused(file) }
  try {
    checkSqlite(db, schema)
    // The page size must be set before the first table; with 8 kB five vectors of 384 dimensions share a page.
    db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192')
    db.exec('PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY')
    migrateSqlite(db, schema)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A second connection to a file that `openForWriting` has opened before. */
export const openForReading = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  db.exec('PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY')
  return db
}
