import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'

const schemaNumber = 1

/**
 * One partition for each namespace of a space. A point's row id is its partition and its slot, so that a namespace's points lie
 * side by side and a slot is also a place in the arrays kept in memory. Slots of removed points are used again.
 *
 * `tokens` holds what filters compare, each token with its partition's number before it: one namespace's words never lengthen
 * another's lists. `search_mode` is what the check found at `judged_count` points.
 */
const schema = `
  CREATE TABLE spaces (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL);
  CREATE TABLE partitions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    namespace_id TEXT NOT NULL,
    points INTEGER NOT NULL DEFAULT 0,
    slots INTEGER NOT NULL DEFAULT 0,
    search_mode TEXT,
    judged_count INTEGER NOT NULL DEFAULT 0,
    UNIQUE (space, namespace_id)
  );
  CREATE TABLE points (
    id INTEGER PRIMARY KEY,
    partition INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    version TEXT NOT NULL,
    passage INTEGER NOT NULL,
    vector BLOB NOT NULL
  );
  CREATE UNIQUE INDEX points_by_address ON points (partition, item_id, version, passage);
  CREATE TABLE free_slots (partition INTEGER NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (partition, slot)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE tokens USING fts5(list, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
  PRAGMA user_version = ${schemaNumber};
`

/** Partition number and slot share the 53 bits of an exact JavaScript integer: 2^25 partitions of 2^28 slots. */
export const slotsPerPartition = 2 ** 28
export const lastPartition = 2 ** 25 - 1
export const lastSlot = slotsPerPartition - 1
export const pointId = (partition: number, slot: number): number => partition * slotsPerPartition + slot
export const partitionOf = (id: number): number => Math.floor(id / slotsPerPartition)
export const slotOf = (id: number): number => id % slotsPerPartition

const readNumber = (db: DatabaseSync, sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0])

/** Opens the file for the one writer, making it where it is missing. AppError `conflict` where another schema wrote it. */
export const openForWriting = (file: string, { waitMs = 5_000 }: { readonly waitMs?: number } = {}): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file, { timeout: waitMs })
  try {
    const found = readNumber(db, 'PRAGMA user_version')
    const isNew = found === 0 && readNumber(db, 'SELECT count(*) FROM sqlite_schema') === 0
    if (found !== schemaNumber && !isNew) {
      throw new AppError(
        'conflict',
        `The vector index ${file} has schema ${found}, and this version reads schema ${schemaNumber}: ` +
          'start the version that wrote it, or move the file away and have the index rebuilt',
      )
    }
    // The page size must be set before the first table; with 8 kB five vectors of 384 dimensions share a page.
    db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192')
    db.exec('PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY')
    if (isNew) db.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
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
