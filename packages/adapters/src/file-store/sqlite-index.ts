import { DatabaseSync } from 'node:sqlite'
import type {
  FileListing,
  MultipartListing,
  MultipartPage,
  OpenMultipart,
  StoredFile,
} from '@cairn/domain/ports/file-store'
import { openOwnFileAtStart } from '../schema/sqlite.ts'
import { createIndexWriter } from './sqlite-index-writer.ts'

export type IndexedFile = StoredFile & { readonly contentType: string; readonly blob: string }
export type IndexedPart = {
  readonly part: number
  readonly blob: string
  readonly sizeBytes: number
  readonly etag: string
}

// Keys are BLOBs, because SQLite compares BLOBs byte by byte, as listings are ordered. Each content file belongs to one
// row.
const schema = `
  CREATE TABLE objects (
    key BLOB PRIMARY KEY, blob TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, etag TEXT NOT NULL,
    content_type TEXT NOT NULL, modified_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE multiparts (
    upload_id TEXT PRIMARY KEY, key BLOB NOT NULL, content_type TEXT NOT NULL, started_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX multiparts_by_key ON multiparts (key);
  CREATE TABLE parts (
    upload_id TEXT NOT NULL, part INTEGER NOT NULL, blob TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, etag TEXT NOT NULL,
    PRIMARY KEY (upload_id, part)
  ) STRICT, WITHOUT ROWID;
`

/** AppError `conflict` for a file of another program or a later version, which stays unchanged. */
export const openForWriting = (file: string): DatabaseSync =>
  openOwnFileAtStart({
    file,
    what: 'file store',
    remedy: 'use another directory',
    migrations: [{ number: 1, name: 'tables', requires: 1, apply: (db) => db.exec(schema) }],
    pragmas: 'PRAGMA journal_size_limit = 8388608',
  })

/** Includes `from`, excludes `to`. UTF-8 has no byte 0xff, and no key contains a zero byte. */
const boundsOf = ({ prefix, after }: Pick<FileListing, 'prefix' | 'after'>) => {
  const from = Buffer.from(prefix)
  const to = prefix === '' ? Buffer.of(0xff) : Buffer.from(from)
  if (prefix !== '') to.writeUInt8(to.readUInt8(to.length - 1) + 1, to.length - 1)
  const behindLast = after === undefined ? from : Buffer.from(`${after}\0`)
  return { from: Buffer.compare(from, behindLast) > 0 ? from : behindLast, to }
}

type Row<T> = Omit<T, 'key'> & { readonly key: Uint8Array }

const textOf = (key: Uint8Array) => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString()
const fromRow = <R extends { readonly key: Uint8Array }>(row: R) => ({ ...row, key: textOf(row.key) })

/**
 * One SQLite file at `synchronous=FULL`: acknowledged writes survive a power failure. A separate thread starts with the
 * first write and commits all queued operations together. Reads run on the calling thread.
 */
export const openFileIndex = (file: string) => {
  openForWriting(file).close()
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  const writer = createIndexWriter(file)
  const columns = 'key, blob, size AS sizeBytes, etag, content_type AS contentType, modified_at AS modifiedAt'
  const find = db.prepare(`SELECT ${columns} FROM objects WHERE key = ?`)
  const list = db.prepare(`SELECT ${columns} FROM objects WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`)
  const multipart = db.prepare('SELECT key FROM multiparts WHERE upload_id = ?')
  const multiparts = db.prepare(
    'SELECT key, upload_id AS uploadId, started_at AS startedAt FROM multiparts WHERE key >= ? AND key < ? AND (key, upload_id) > (?, ?) ORDER BY key, upload_id LIMIT ?',
  )
  const parts = db.prepare('SELECT part, blob, size AS sizeBytes, etag FROM parts WHERE upload_id = ? ORDER BY part')
  const bytes = db.prepare('SELECT coalesce(sum(size), 0) AS bytes FROM parts WHERE upload_id = ?')
  const blob = db.prepare('SELECT 1 FROM objects WHERE blob = ?1 UNION ALL SELECT 1 FROM parts WHERE blob = ?1')

  return {
    write: writer.run,
    find: (key: string): IndexedFile | undefined => {
      const row = find.get(Buffer.from(key)) as Row<IndexedFile> | undefined
      return row && fromRow(row)
    },
    list: ({ limit, ...listing }: FileListing): IndexedFile[] => {
      const { from, to } = boundsOf(listing)
      return (list.all(from, to, limit) as Row<IndexedFile>[]).map(fromRow)
    },
    multipartKey: (uploadId: string): string | undefined => {
      const row = multipart.get(uploadId) as { readonly key: Uint8Array } | undefined
      return row && textOf(row.key)
    },
    partsOf: (uploadId: string): ReadonlyMap<number, IndexedPart> =>
      new Map((parts.all(uploadId) as IndexedPart[]).map((part) => [part.part, part])),
    bytesOfParts: (uploadId: string): number => Number(bytes.get(uploadId)?.['bytes']),
    multiparts: ({ prefix, after, limit }: MultipartListing): MultipartPage => {
      const { from, to } = boundsOf({ prefix })
      const rows = multiparts.all(
        from,
        to,
        Buffer.from(after?.key ?? ''),
        after?.uploadId ?? '',
        limit,
      ) as Row<OpenMultipart>[]
      const uploads = rows.map(fromRow)
      const last = uploads.at(-1)
      return {
        uploads,
        ...(last && uploads.length === limit ? { next: { key: last.key, uploadId: last.uploadId } } : {}),
      }
    },
    hasBlob: (id: string): boolean => blob.get(id) !== undefined,
    close: async () => {
      // The writer must close last: only it can checkpoint the WAL into the file.
      db.close()
      await writer.close()
    },
  }
}
