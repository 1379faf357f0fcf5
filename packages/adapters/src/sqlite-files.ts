import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { damageOf } from '@cairn/domain/ports/store-damage'
import { openForWriting as openFileIndex } from './file-store/sqlite-index.ts'
import type { Log } from './schema/migrations.ts'
import { damageError } from './schema/sqlite.ts'
import { openForWriting as openStore } from './store/sqlite-store.ts'
import { openForWriting as openVectors } from './vector-index/sqlite/schema.ts'

const logOf = (file: string, log: Log) => (line: string) => log(`${file}: ${line}`)

/** Throws if a later version wrote the file. */
export const migrateStore = (file: string, log: Log): void => openStore(file, logOf(file, log)).close()

/**
 * Runs after `migrateStore` and before anything opens the files, without a deadline; creates missing ones. May be
 * interrupted at any time: the next start continues with the same step. `tag` is the number of the installation, which
 * each file keeps.
 */
export const migrateFiles = (
  files: Readonly<Record<'metadata' | 'vectors' | 'fileIndex', string>>,
  tag: number,
  log: Log,
): void => {
  openVectors(files.vectors, { log: logOf(files.vectors, log) }).close()
  openFileIndex(files.fileIndex).close()
  // The record store is last: its tag says that all were created.
  for (const file of [files.vectors, files.fileIndex, files.metadata]) {
    if (headerOf(file)?.tag === tag) continue
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA application_id = ${tag}; PRAGMA wal_checkpoint(TRUNCATE)`)
    database.close()
  }
}

/** Returns the bytes of free pages, which later writes reuse; 0 if the file is missing or can't be read now. */
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

const magic = 'SQLite format 3\0'
const tagAt = 68

/**
 * `tag` is the number that `migrateFiles` wrote, 0 before. Undefined for a file of another form, and for a SQLite file
 * that holds nothing yet.
 */
export const headerIn = (handle: number): { readonly tag: number } | undefined => {
  const header = Buffer.alloc(100)
  readSync(handle, header, 0, header.length, 0)
  return header.toString('latin1', 0, magic.length) === magic ? { tag: header.readUInt32BE(tagAt) } : undefined
}

/**
 * This process must not have the file open: closing it releases all of its locks on the file, also SQLite's, and the
 * next program that reads the file would remove the log that this process still writes.
 */
export const headerOf = (file: string): ReturnType<typeof headerIn> => {
  const handle = openSync(file, 'r')
  try {
    return headerIn(handle)
  } finally {
    closeSync(handle)
  }
}

export const hasRows = (file: string, table: string): boolean => {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined
  } finally {
    database.close()
  }
}

const reportEveryMs = 5_000

/** In order, so that SQLite finds the pages in memory. */
const readThrough = (file: string, log: Log): void => {
  const handle = openSync(file, 'r')
  try {
    const { size } = fstatSync(handle)
    log(`${file}: reading all pages (${Math.ceil(size / 1_000_000)} MB)`)
    const part = Buffer.alloc(4 * 1024 * 1024)
    let reportedAt = performance.now()
    for (let at = 0, bytes = -1; bytes !== 0; at += bytes) {
      bytes = readSync(handle, part, 0, part.length, at)
      if (performance.now() - reportedAt < reportEveryMs) continue
      reportedAt = performance.now()
      log(`${file}: ${Math.floor((100 * (at + bytes)) / size)} % read`)
    }
  } finally {
    closeSync(handle)
  }
}

/** Does not check the order of indexes. */
export const isSound = (file: string, log: Log): boolean => {
  let database: DatabaseSync | undefined
  try {
    readThrough(file, log)
    database = new DatabaseSync(file, { readOnly: true })
    return Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok'
  } catch (error) {
    if (damageOf(damageError('store', error)) || (error as NodeJS.ErrnoException).code === 'EIO') return false
    throw error
  } finally {
    database?.close()
  }
}

/**
 * Renames a SQLite file with its log. May be repeated after a crash: once `kept` exists, `file` was made since and is
 * removed. Nothing may have it open.
 */
export const setAside = (file: string, kept: string): void => {
  const isKept = existsSync(kept)
  // The log first: when `kept` exists, nothing of the former file has its name any more.
  for (const suffix of ['-wal', '-shm', ''])
    if (isKept) rmSync(file + suffix, { force: true })
    else if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix)
}
