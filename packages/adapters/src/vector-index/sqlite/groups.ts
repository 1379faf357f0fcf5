import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { type Answer, type Call, type FromThread, toFailure } from '../../threads/messages.ts'
import { type Change, indexError, type WriteRequest } from './messages.ts'
import { PointWrites, type TokenWrite } from './writes.ts'

type Effects = { readonly changes: Change[]; readonly tokens: TokenWrite[] }

/**
 * One transaction with a savepoint per request: a rejected one does not affect the others. If the transaction fails,
 * all are `unavailable`.
 */
export const createGroupWriter = (
  db: DatabaseSync,
  now?: () => number,
): ((group: readonly Call<WriteRequest>[]) => FromThread<readonly Change[]>) => {
  const points = new PointWrites(db, now)

  const attempt = ({ id, request }: Call<WriteRequest>, { changes, tokens }: Effects): Answer => {
    // An engine error can end the whole transaction; a savepoint would then start one that is never committed.
    if (!db.isTransaction) throw new Error('the transaction has ended')
    db.exec('SAVEPOINT request')
    try {
      const written = points.write(request)
      db.exec('RELEASE request')
      changes.push(...(written.changes ?? []))
      tokens.push(...(written.tokens ?? []))
      return { id, value: written.value }
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK TO request; RELEASE request')
      return { id, failure: toFailure(indexError(error)) }
    }
  }

  return (group) => {
    const effects: Effects = { changes: [], tokens: [] }
    try {
      db.exec('BEGIN IMMEDIATE')
      const answers = group.map((call) => attempt(call, effects))
      points.writeTokens(effects.tokens)
      db.exec('COMMIT')
      return { answers, news: effects.changes }
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      const { message, cause } = indexError(error)
      const failure = toFailure(new AppError('unavailable', message, { cause }))
      return { answers: group.map(({ id }) => ({ id, failure })) }
    }
  }
}
