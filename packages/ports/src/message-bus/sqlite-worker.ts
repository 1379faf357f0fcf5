// The thread that owns the bus's write connection.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { isAppError } from '@cairn/contracts/errors'
import { openForWriting } from './sqlite-schema.ts'

export type BusOperation =
  | {
      readonly kind: 'publish'
      readonly topic: string
      readonly at: number
      readonly messages: readonly { readonly key: string; readonly body: string }[]
    }
  | { readonly kind: 'join'; readonly topic: string; readonly group: string }
  | { readonly kind: 'handled'; readonly groupId: number; readonly seqs: readonly number[] }
  | { readonly kind: 'backlog'; readonly topic: string; readonly group: string }
  | { readonly kind: 'prune'; readonly after: number; readonly expiredBefore: number; readonly handledBefore: number }

export type BusResults = {
  publish: undefined
  join: { readonly groupId: number }
  handled: undefined
  backlog: { readonly messages: number; readonly oldestAt: number | null }
  /** Where to go on; undefined when the rest is too young. */
  prune: { readonly next: number | undefined }
}

export type BusFault = { readonly code: 'unavailable' | 'conflict'; readonly message: string }
export type BusRequest = { readonly id: number; readonly operation: BusOperation } | { readonly id: number; readonly operation: 'close' }
export type BusAnswer = { readonly id: number; readonly value?: unknown; readonly fault?: BusFault }
/** Answers of one commit come together. `opened` comes first, once; after `refused` the thread ends. */
export type BusReport = { readonly opened: true } | { readonly refused: BusFault } | { readonly answers: readonly BusAnswer[] }

/** A commit takes this many operations at most, so that the first one's answer does not wait for a flood behind it. */
const operationsPerCommit = 500
const prunedAtOnce = 1_000

const { file } = workerData as { readonly file: string }
if (!parentPort) throw new Error('this file is the body of a worker thread')
const port = parentPort
const report = (message: BusReport) => port.postMessage(message)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const open = (): DatabaseSync | BusFault => {
  try {
    return openForWriting(file)
  } catch (error) {
    if (isAppError(error, 'conflict')) return { code: 'conflict', message: error.message }
    throw error
  }
}

const createOperations = (db: DatabaseSync) => {
  const insertMessage = db.prepare('INSERT INTO messages (topic, key, at, body) VALUES (?, ?, ?, ?)')
  const insertPending = db.prepare('INSERT INTO pending (group_id, seq) SELECT id, ? FROM consumer_groups WHERE topic = ?')
  const findGroup = db.prepare('SELECT id FROM consumer_groups WHERE topic = ? AND name = ?')
  const insertGroup = db.prepare('INSERT INTO consumer_groups (topic, name) VALUES (?, ?)')
  const catchUp = db.prepare('INSERT INTO pending (group_id, seq) SELECT ?, seq FROM messages WHERE topic = ?')
  const removePending = db.prepare('DELETE FROM pending WHERE group_id = ? AND seq = ?')
  const pendingOfGroup = db.prepare(`
    SELECT count(*) AS messages, (SELECT at FROM messages WHERE seq = (SELECT min(seq) FROM pending WHERE group_id = ?1)) AS oldestAt
    FROM pending WHERE group_id = ?1
  `)
  const messagesOfTopic = db.prepare('SELECT count(*) AS messages, min(at) AS oldestAt FROM messages WHERE topic = ?')
  const slice = db.prepare(
    'SELECT max(seq) AS last, count(*) AS count, max(at) AS newest FROM (SELECT seq, at FROM messages WHERE seq > ? ORDER BY seq LIMIT ?)',
  )
  const groupIds = db.prepare('SELECT id FROM consumer_groups')
  const forgetPending = db.prepare(
    'DELETE FROM pending WHERE group_id = ? AND seq > ? AND seq <= ? AND (SELECT at FROM messages WHERE messages.seq = pending.seq) < ?',
  )
  const removeMessages = db.prepare(`
    DELETE FROM messages WHERE seq > ? AND seq <= ? AND (at < ? OR (at < ?
      AND EXISTS (SELECT 1 FROM consumer_groups g WHERE g.topic = messages.topic)
      AND NOT EXISTS (SELECT 1 FROM consumer_groups g JOIN pending p ON p.group_id = g.id AND p.seq = messages.seq WHERE g.topic = messages.topic)))
  `)

  const groupId = (topic: string, group: string) => (findGroup.get(topic, group) as { id: number } | undefined)?.id

  return (operation: BusOperation): BusResults[BusOperation['kind']] => {
    switch (operation.kind) {
      case 'publish':
        for (const { key, body } of operation.messages) {
          const { lastInsertRowid } = insertMessage.run(operation.topic, key, operation.at, body)
          insertPending.run(lastInsertRowid, operation.topic)
        }
        return undefined
      case 'join': {
        const known = groupId(operation.topic, operation.group)
        if (known !== undefined) return { groupId: known }
        const id = Number(insertGroup.run(operation.topic, operation.group).lastInsertRowid)
        catchUp.run(id, operation.topic)
        return { groupId: id }
      }
      case 'handled':
        for (const seq of operation.seqs) removePending.run(operation.groupId, seq)
        return undefined
      case 'backlog': {
        const known = groupId(operation.topic, operation.group)
        const row = known === undefined ? messagesOfTopic.get(operation.topic) : pendingOfGroup.get(known)
        return { ...(row as BusResults['backlog']) }
      }
      case 'prune': {
        const { after, expiredBefore, handledBefore } = operation
        const { last, count, newest } = slice.get(after, prunedAtOnce) as { last: number | null; count: number; newest: number | null }
        if (last === null || newest === null) return { next: undefined }
        for (const { id } of groupIds.all() as { id: number }[]) forgetPending.run(id, after, last, expiredBefore)
        removeMessages.run(after, last, expiredBefore, handledBefore)
        return { next: count < prunedAtOnce || newest >= handledBefore ? undefined : last }
      }
    }
  }
}

const run = (db: DatabaseSync) => {
  const perform = createOperations(db)
  const unavailable = (error: unknown): BusFault => ({
    code: 'unavailable',
    message: `the message bus could not write: ${messageOf(error)}`,
  })

  const performAlone = ({ id, operation }: { readonly id: number; readonly operation: BusOperation }): BusAnswer => {
    db.exec('SAVEPOINT one')
    try {
      const value = perform(operation)
      db.exec('RELEASE one')
      return { id, value }
    } catch (error) {
      // A full disk ends the whole transaction by itself; then this throws too and all of the batch fail.
      db.exec('ROLLBACK TO one; RELEASE one')
      return { id, fault: unavailable(error) }
    }
  }

  const commit = (batch: readonly { readonly id: number; readonly operation: BusOperation }[]): BusAnswer[] => {
    try {
      db.exec('BEGIN IMMEDIATE')
      const answers = batch.map(performAlone)
      db.exec('COMMIT')
      return answers
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      return batch.map(({ id }) => ({ id, fault: unavailable(error) }))
    }
  }

  const close = (id: number) => {
    db.close()
    report({ answers: [{ id }] })
    port.close()
  }

  const waiting: BusRequest[] = []
  const next = (): BusRequest | undefined => {
    if (waiting.length === 0) waiting.push(...((receiveMessageOnPort(port)?.message as readonly BusRequest[] | undefined) ?? []))
    return waiting.shift()
  }

  // Group commit without a timer: whatever has queued while the last batch was committed is the next one.
  port.on('message', (first: readonly BusRequest[]) => {
    waiting.push(...first)
    while (waiting.length > 0) {
      const batch: { id: number; operation: BusOperation }[] = []
      let request = next()
      for (; request && request.operation !== 'close'; request = batch.length < operationsPerCommit ? next() : undefined) {
        batch.push({ id: request.id, operation: request.operation })
      }
      if (batch.length > 0) report({ answers: commit(batch) })
      if (request) close(request.id)
    }
  })
}

try {
  const opened = open()
  if (opened instanceof DatabaseSync) {
    run(opened)
    report({ opened: true })
  } else report({ refused: opened })
} catch (error) {
  report({ refused: { code: 'unavailable', message: `${file} could not be opened: ${messageOf(error)}` } })
}
