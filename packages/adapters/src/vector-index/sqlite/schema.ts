import { DatabaseSync } from 'node:sqlite'
import type { Log } from '../../schema/migrations.ts'
import { openOwnFile } from '../../schema/sqlite.ts'
import { vectorMigrations } from './migrations.ts'

/** Partition number and slot share the 53 bits of an exact JavaScript integer: 2^25 partitions of 2^28 slots. */
export const slotsPerPartition = 2 ** 28
export const lastPartition = 2 ** 25 - 1
export const lastSlot = slotsPerPartition - 1
export const pointId = (partition: number, slot: number): number => partition * slotsPerPartition + slot
export const partitionOf = (id: number): number => Math.floor(id / slotsPerPartition)
export const slotOf = (id: number): number => id % slotsPerPartition

/** Only one writer may open the file. */
export const openForWriting = (
  file: string,
  { waitMs, log }: { readonly waitMs?: number; readonly log?: Log } = {},
): DatabaseSync =>
  openOwnFile({
    file,
    what: 'vector index',
    remedy: 'move the file away and have the index rebuilt',
    migrations: vectorMigrations,
    // A page of 8 kB holds five vectors of 384 dimensions.
    pragmas:
      'PRAGMA page_size = 8192; PRAGMA cache_size = -8192; PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY',
    waitMs,
    log,
  })

/** `openForWriting` must have opened the file before. */
export const openForReading = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  db.exec('PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY')
  return db
}
