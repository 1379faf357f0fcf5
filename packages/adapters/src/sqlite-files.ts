import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openForWriting as openMetadata } from './metadata/sqlite-store.ts'
import type { Log } from './schema/migrations.ts'
import { openForWriting as openVectors } from './vector-index/sqlite/schema.ts'

/**
 * Migrates the files of a data directory to the schema of this version before anything opens them, without a deadline.
 * Missing files are created later, on first use. May be interrupted at any time: the next start continues with the same
 * step. `formerBus` is the file of the message bus of 0.1.0. It is removed, because its messages only announced jobs,
 * which the metadata store contains.
 */
export const migrateFiles = (
  files: { readonly metadata: string; readonly vectors: string; readonly formerBus: string },
  log: Log,
): void => {
  const migrate = (file: string, open: (log: Log) => { close(): void }) => {
    if (existsSync(file)) open((line) => log(`${file}: ${line}`)).close()
  }
  migrate(files.metadata, (log) => openMetadata(files.metadata, log))
  migrate(files.vectors, (log) => openVectors(files.vectors, { log }))
  for (const suffix of ['', '-wal', '-shm']) rmSync(files.formerBus + suffix, { force: true })
}

/**
 * Returns the bytes of free pages in a SQLite file, which later writes reuse. Returns 0 if the file is missing or can't
 * be read now.
 */
export const reusableBytes = (file: string): number => {
  if (!existsSync(file)) return 0
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const row = database
        .prepare('SELECT freelist_count * page_size AS free FROM pragma_freelist_count, pragma_page_size')
        .get()
      return Number(row?.free ?? 0)
    } finally {
      database.close()
    }
  } catch {
    return 0
  }
}
