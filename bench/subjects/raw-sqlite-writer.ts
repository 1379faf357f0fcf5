import { join } from 'node:path'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openForWriting } from '@cairn/adapters/metadata/sqlite-store'
import type { RawOptions, RawRow } from './raw-sqlite.ts'

type Call = { readonly call: number; readonly rows: readonly RawRow[]; readonly isGrouped: boolean }

const port = parentPort as MessagePort
const { directory } = workerData as RawOptions
// The product's own file: its tables, its indexes, `synchronous=FULL`.
const database = openForWriting(join(directory, 'raw.db'))
const insert = database.prepare(
  'INSERT INTO items (namespaceId, id, status, updatedAt, document) VALUES (?, ?, ?, ?, ?)',
)

const insertAll = ({ rows }: Call) => {
  for (const row of rows) insert.run(...row)
}

/** A transaction for each call; or, with group commit, one for whatever waits. */
port.on('message', (first: Call) => {
  const calls = [first]
  database.exec('BEGIN IMMEDIATE')
  insertAll(first)
  while (first.isGrouped) {
    const next = receiveMessageOnPort(port)?.message as Call | undefined
    if (!next) break
    insertAll(next)
    calls.push(next)
  }
  database.exec('COMMIT')
  port.postMessage(calls.map(({ call }) => call))
})
