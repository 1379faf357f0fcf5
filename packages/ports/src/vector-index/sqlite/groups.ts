import type { DatabaseSync } from 'node:sqlite'
import { type Change, type Failure, toFailure, type WriteRequest } from './messages.ts'
import type { Answer, WorkerCall, WorkerMessage } from './worker-link.ts'
import { createPointWrites, type TokenWrite } from './writes.ts'

type Call = WorkerCall<WriteRequest>
type Effects = { readonly changes: Change[]; readonly tokens: TokenWrite[] }

export const failGroup = (group: readonly Call[], failure: Failure): WorkerMessage<readonly Change[]> => ({
  answers: group.map(({ call }) => ({ call, failure })),
})

/**
 * Creates a function that writes requests in one transaction, each in its own savepoint: a rejected request does not
 * affect the others. If the transaction fails, all of them are `unavailable`.
 */
export const createGroupWriter = (db: DatabaseSync): ((group: readonly Call[]) => WorkerMessage<readonly Change[]>) => {
  const { write, writeTokens } = createPointWrites(db)

  const attempt = ({ call, request }: Call, { changes, tokens }: Effects): Answer => {
    // An engine error can end the whole transaction; a savepoint would then start one that is never committed.
    if (!db.isTransaction) throw new Error('the transaction has ended')
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

  return (group) => {
    const effects: Effects = { changes: [], tokens: [] }
    try {
      db.exec('BEGIN IMMEDIATE')
      const answers = group.map((call) => attempt(call, effects))
      writeTokens(effects.tokens)
      db.exec('COMMIT')
      return { answers, news: effects.changes }
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      return failGroup(group, { code: 'unavailable', message: toFailure(error).message })
    }
  }
}
