// Thread that writes the index of the local file store.
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { damageError, resultCode } from '../schema/sqlite.ts'
import type { Answer, Call } from '../threads/messages.ts'
import { runWriter } from '../threads/run-writer.ts'

type Content = { readonly blob: string; readonly sizeBytes: number; readonly etag: string }

export type IndexOperation =
  | {
      readonly kind: 'put'
      readonly key: string
      readonly contentType: string
      readonly at: number
      readonly content: Content
    }
  | { readonly kind: 'remove'; readonly keys: readonly string[] }
  | {
      readonly kind: 'start'
      readonly uploadId: string
      readonly key: string
      readonly contentType: string
      readonly at: number
    }
  | { readonly kind: 'putPart'; readonly uploadId: string; readonly part: number; readonly content: Content }
  | { readonly kind: 'complete'; readonly uploadId: string; readonly at: number; readonly content: Content }
  | { readonly kind: 'abort'; readonly uploadId: string; readonly key: string }

/** `unneeded`: blobs that no row refers to any more. Without it, the upload did not exist and nothing has changed. */
export type IndexResult = { readonly unneeded?: readonly string[] }

/** `unsettled`: the write may still take effect when the file is opened after a crash. */
export type IndexFault = { readonly fault: string; readonly unsettled: boolean; readonly cause?: unknown }

const operationsPerCommit = 500

const { file } = workerData as { readonly file: string }
const faultOf = (error: unknown, unsettled: boolean): IndexFault => ({
  fault: error instanceof Error ? error.message : String(error),
  unsettled,
  cause: damageError('file store', error)?.cause,
})

const isFull = (error: unknown) => resultCode(error) === 13

const createOperations = (db: DatabaseSync) => {
  const blobOf = db.prepare('SELECT blob FROM objects WHERE key = ?')
  const put = db.prepare(`
    INSERT INTO objects (key, blob, size, etag, content_type, modified_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE
    SET blob = excluded.blob, size = excluded.size, etag = excluded.etag, content_type = excluded.content_type, modified_at = excluded.modified_at
  `)
  const remove = db.prepare('DELETE FROM objects WHERE key = ? RETURNING blob')
  const start = db.prepare('INSERT INTO multiparts (upload_id, key, content_type, started_at) VALUES (?, ?, ?, ?)')
  const multipart = db.prepare('SELECT key, content_type FROM multiparts WHERE upload_id = ?')
  const partBlob = db.prepare('SELECT blob FROM parts WHERE upload_id = ? AND part = ?')
  const putPart = db.prepare(`
    INSERT INTO parts (upload_id, part, blob, size, etag) VALUES (?, ?, ?, ?, ?) ON CONFLICT (upload_id, part) DO UPDATE
    SET blob = excluded.blob, size = excluded.size, etag = excluded.etag
  `)
  const end = db.prepare('DELETE FROM multiparts WHERE upload_id = ?')
  const endParts = db.prepare('DELETE FROM parts WHERE upload_id = ? RETURNING blob')
  const blobs = (rows: readonly unknown[]) => (rows as readonly { readonly blob: string }[]).map(({ blob }) => blob)
  const putObject = (key: Uint8Array, contentType: string, at: number, { blob, sizeBytes, etag }: Content) => {
    const replaced = blobs(blobOf.all(key))
    put.run(key, blob, sizeBytes, etag, contentType, at)
    return replaced
  }
  const uploadOf = (uploadId: string) =>
    multipart.get(uploadId) as { readonly key: Uint8Array; readonly content_type: string } | undefined
  const endUpload = (uploadId: string) => {
    end.run(uploadId)
    return blobs(endParts.all(uploadId))
  }

  return (operation: IndexOperation): IndexResult => {
    switch (operation.kind) {
      case 'put':
        return {
          unneeded: putObject(Buffer.from(operation.key), operation.contentType, operation.at, operation.content),
        }
      case 'remove':
        return { unneeded: operation.keys.flatMap((key) => blobs(remove.all(Buffer.from(key)))) }
      case 'start':
        start.run(operation.uploadId, Buffer.from(operation.key), operation.contentType, operation.at)
        return { unneeded: [] }
      case 'putPart': {
        const { uploadId, part, content } = operation
        if (!uploadOf(uploadId)) return {}
        const replaced = blobs(partBlob.all(uploadId, part))
        putPart.run(uploadId, part, content.blob, content.sizeBytes, content.etag)
        return { unneeded: replaced }
      }
      case 'complete': {
        const upload = uploadOf(operation.uploadId)
        if (!upload) return {}
        const replaced = putObject(upload.key, upload.content_type, operation.at, operation.content)
        return { unneeded: [...replaced, ...endUpload(operation.uploadId)] }
      }
      case 'abort': {
        const upload = uploadOf(operation.uploadId)
        return upload && Buffer.from(operation.key).equals(upload.key)
          ? { unneeded: endUpload(operation.uploadId) }
          : {}
      }
    }
  }
}

runWriter<IndexOperation>(() => {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  db.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 8388608')
  const perform = createOperations(db)

  const performAlone = ({ id, request }: Call<IndexOperation>): Answer => {
    db.exec('SAVEPOINT one')
    try {
      const value = perform(request)
      db.exec('RELEASE one')
      return { id, value }
    } catch (error) {
      // A full disk rolls back the whole transaction, and so the whole batch fails.
      if (isFull(error)) throw error
      db.exec('ROLLBACK TO one; RELEASE one')
      return { id, value: faultOf(error, false) }
    }
  }

  const commitOnce = (batch: readonly Call<IndexOperation>[]): Answer[] => {
    try {
      db.exec('BEGIN IMMEDIATE')
      const answers = batch.map(performAlone)
      db.exec('COMMIT')
      return answers
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK')
    }
  }

  const commit = (batch: readonly Call<IndexOperation>[]): Answer[] => {
    try {
      try {
        return commitOnce(batch)
      } catch (error) {
        if (!isFull(error)) throw error
        // The WAL grows on a full disk. A checkpoint needs no extra space; afterwards, a removal may succeed and free
        // space.
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        return commitOnce(batch)
      }
    } catch (error) {
      // A failed sync may still have written to the WAL, and crash recovery would apply that write.
      const value = faultOf(error, !isFull(error))
      return batch.map(({ id }) => ({ id, value }))
    }
  }

  return {
    commit: (next) => {
      const batch: Call<IndexOperation>[] = []
      for (let call = next(); call; call = batch.length < operationsPerCommit ? next() : undefined) batch.push(call)
      return { answers: commit(batch) }
    },
    close: () => db.close(),
  }
})
