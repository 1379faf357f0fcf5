import { join } from 'node:path'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openForWriting } from '@cairn/adapters/store/sqlite-store'
import type { RawOptions, RawRow } from './raw-sqlite.ts'

type Call = { readonly call: number; readonly rows: readonly RawRow[] }

const port = parentPort as MessagePort
const { directory } = workerData as RawOptions
// Opened as the product opens it: same tables, indexes and `synchronous=FULL`.
const database = openForWriting(join(directory, 'raw.db'))
const insert = database.prepare(
  'INSERT INTO items (namespaceId, id, status, updatedAt, document) VALUES (?, ?, ?, ?, ?)',
)

port.on('message', ({ call, rows }: Call) => {
  database.exec('BEGIN IMMEDIATE')
  for (const row of rows) insert.run(...row)
  database.exec('COMMIT')
  port.postMessage(call)
})
