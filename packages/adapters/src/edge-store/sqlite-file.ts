import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { resultCode } from '../schema/sqlite.ts'
import { openForWriting } from '../vector-index/sqlite/schema.ts'

/** `edge_items` keeps the order in which ids were first stored. Vectors are in the vector index's tables. */
const schema = `
  CREATE TABLE IF NOT EXISTS edge_shape (only INTEGER PRIMARY KEY CHECK (only = 1), mode TEXT NOT NULL, dimension INTEGER NOT NULL, model TEXT);
  CREATE TABLE IF NOT EXISTS edge_items (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
`

/** A vector index of another kind has the same tables. */
const isForeign = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'edge_items'").get() === undefined &&
  db.prepare('SELECT 1 FROM spaces LIMIT 1').get() !== undefined

export const storeFailure = (error: unknown): unknown => {
  if (isAppError(error) || !(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'))
    return error
  return new AppError('unavailable', `The edge store's file can't be used: ${error.message}`, { cause: error })
}

/** AppError `conflict` if another process uses the file, or it is not an edge store of this version. */
export const openStoreFile = (file: string, waitMs: number): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let db: DatabaseSync | undefined
  try {
    db = openForWriting(file, { waitMs })
    if (isForeign(db)) throw new AppError('conflict', 'it has points and no items')
    // The lock lasts until the process ends, even after a crash.
    db.exec(`PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ${schema} COMMIT`)
    return db
  } catch (error) {
    db?.close()
    if (resultCode(error) === 5)
      throw new AppError('conflict', `The edge store ${file} is in use by another process`, { cause: error })
    if (isAppError(error, 'conflict'))
      throw new AppError('conflict', `${file} is no edge store of this version: move it away, or name another file`, {
        cause: error,
      })
    throw storeFailure(error)
  }
}
