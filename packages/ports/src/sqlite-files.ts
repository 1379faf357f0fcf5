import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openForWriting as openMetadata } from './metadata/sqlite-store.ts'
import type { Say } from './schema/migrations.ts'
import { openForWriting as openVectors } from './vector-index/sqlite/schema.ts'

/**
 * Brings the files of a data directory to the form of this version before anything opens them, without a deadline. Files that are not
 * there are made by whoever needs them first. May be cut off at any time: the next start goes on with the step it was at.
 * `formerBus`: the file of a bus that 0.1.0 had. It is removed: its messages only announced jobs, which are in the metadata.
 */
export const migrateFiles = (
  files: { readonly metadata: string; readonly vectors: string; readonly formerBus: string },
  say: Say,
): void => {
  const migrate = (file: string, open: (say: Say) => { close(): void }) => {
    if (existsSync(file)) open((line) => say(`${file}: ${line}`)).close()
  }
  migrate(files.metadata, (tell) => openMetadata(files.metadata, tell))
  migrate(files.vectors, (tell) => openVectors(files.vectors, { say: tell }))
  for (const suffix of ['', '-wal', '-shm']) rmSync(files.formerBus + suffix, { force: true })
}

/** Bytes of the pages that a file of SQLite has free: what is written next goes there. 0 where there is no such file, or it can't be asked now. */
export const reusableBytes = (file: string): number => {
  if (!existsSync(file)) return 0
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const row = database.prepare('SELECT freelist_count * page_size AS free FROM pragma_freelist_count, pragma_page_size').get()
      return Number(row?.free ?? 0)
    } finally {
      database.close()
    }
  } catch {
    return 0
  }
}
