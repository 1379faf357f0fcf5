import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contentTypeOf } from '@cairn/contracts/files/file-rules'
import type { FileRecord } from '@cairn/domain/files/record'
import { sha256Of } from '@cairn/domain/sha256-of'
import { setAside } from '../sqlite-files.ts'
import { openForWriting } from './sqlite-index.ts'

type Known = Pick<FileRecord, 'key' | 'name' | 'object'>

/**
 * Writes the index again from the file records and the content: a record names the SHA-256 of its content. Content
 * without a record, such as that of unfinished uploads, is moved to the folder `unmatched`. A former index is set aside
 * as `kept` once the new one is complete, so this may be interrupted and repeated.
 */
export const rebuildFileIndex = async (
  directory: string,
  storeFile: string,
  kept: string,
): Promise<{ readonly found: number; readonly missing: number; readonly unmatched: number }> => {
  const metadata = new DatabaseSync(storeFile, { readOnly: true })
  const wanted = new Map<string, Known[]>()
  for (const { document } of metadata.prepare('SELECT document FROM files').iterate()) {
    const record = JSON.parse(String(document)) as Known
    wanted.set(record.object.etag, [...(wanted.get(record.object.etag) ?? []), record])
  }
  metadata.close()
  const sizes = new Set([...wanted.values()].flat().map(({ object }) => object.sizeBytes))
  const [content, unmatchedFolder] = [join(directory, 'content'), join(directory, 'unmatched')]
  const [file, draft] = [join(directory, 'index.db'), join(directory, 'index.db.new')]
  for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  const index = openForWriting(draft)
  const put = index.prepare('INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?)')
  let [found, unmatched] = [0, 0]
  for (const folder of existsSync(content) ? readdirSync(content) : [])
    for (const blob of readdirSync(join(content, folder))) {
      const path = join(content, folder, blob)
      const record = sizes.has(statSync(path).size) ? wanted.get(await sha256Of(path))?.pop() : undefined
      if (record) {
        const { key, name, object } = record
        put.run(Buffer.from(key), blob, object.sizeBytes, object.etag, contentTypeOf(name) ?? '', object.modifiedAt)
        found += 1
      } else {
        mkdirSync(unmatchedFolder, { recursive: true, mode: 0o700 })
        renameSync(path, join(unmatchedFolder, blob))
        unmatched += 1
      }
    }
  index.close()
  // Also where only the former log is left: SQLite would replay it into the new file.
  setAside(file, kept)
  renameSync(draft, file)
  return { found, missing: [...wanted.values()].flat().length, unmatched }
}
