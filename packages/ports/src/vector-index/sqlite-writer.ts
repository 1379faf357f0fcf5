import type { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type Change, type Failure, toFailure, type WriteRequest } from './sqlite-messages.ts'
import { openForWriting } from './sqlite-schema.ts'
import { createPointWrites, type TokenWrite } from './sqlite-writes.ts'
import type { Answer, WorkerCall, WorkerMessage } from './worker-link.ts'

/**
 * The thread that owns the write connection. What has queued while a commit ran is written in one transaction, each request in a
 * savepoint of its own, and answered after the commit: many small writes share one wait for the disk.
 */
if (!parentPort) throw new Error('This file is the entry of a worker thread')
const port = parentPort
const { file } = workerData as { readonly file: string }

/** Ends a group: the first of it should not wait for thousands of others. */
const pointsPerGroup = 2_000
const callsPerGroup = 256

type Store = { readonly db: DatabaseSync } & ReturnType<typeof createPointWrites>
type Effects = { readonly changes: Change[]; readonly tokens: TokenWrite[] }
type Call = WorkerCall<WriteRequest>

let store: Store | undefined

const open = (): Store => {
  const db = openForWriting(file)
  return { db, ...createPointWrites(db) }
}

const attempt = ({ db, write }: Store, { call, request }: Call, { changes, tokens }: Effects): Answer => {
  // An engine error can end the whole transaction, and a savepoint would then begin one that nobody answers for.
  if (!db.isTransaction) throw new Error('The transaction has ended')
  db.exec('SAVEPOINT request')
  try {
    const written = write(request)
    db.exec('RELEASE request')
    changes.push(...(written.changes ?? []))
    tokens.push(...(written.tokens ?? []))
    return { call, value: written.value }
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK TO request; RELEASE request')
    return { call, failure: toFailure(error) }
  }
}

const failAll = (group: readonly Call[], failure: Failure): WorkerMessage<readonly Change[]> => ({
  answers: group.map(({ call }) => ({ call, failure })),
})

const writeGroup = (group: readonly Call[]): WorkerMessage<readonly Change[]> => {
  try {
    store ??= open()
  } catch (error) {
    return failAll(group, toFailure(error))
  }
  const { db } = store
  const effects: Effects = { changes: [], tokens: [] }
  try {
    db.exec('BEGIN IMMEDIATE')
    const opened = store
    const answers = group.map((call) => attempt(opened, call, effects))
    store.writeTokens(effects.tokens)
    db.exec('COMMIT')
    return { answers, news: effects.changes }
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    return failAll(group, { code: 'unavailable', message: toFailure(error).message })
  }
}

const pointsOf = ({ request }: Call): number => (request.kind === 'upsert' ? request.points.itemIds.length : 1)

/** The given message and those that wait behind it, up to the size of a group. */
const collect = (first: Call | 'close'): { readonly group: readonly Call[]; readonly closes: boolean } => {
  const group: Call[] = []
  let points = 0
  let next: Call | 'close' | undefined = first
  while (next !== undefined && next !== 'close') {
    group.push(next)
    points += pointsOf(next)
    if (points >= pointsPerGroup || group.length >= callsPerGroup) return { group, closes: false }
    next = receiveMessageOnPort(port)?.message
  }
  return { group, closes: next === 'close' }
}

port.on('message', (message: Call | 'close') => {
  const { group, closes } = collect(message)
  if (group.length > 0) port.postMessage(writeGroup(group))
  if (!closes) return
  store?.db.close()
  port.close()
})
