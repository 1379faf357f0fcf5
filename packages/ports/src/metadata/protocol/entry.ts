import { AppError } from '@cairn/contracts/errors'
import type { Counts, Namespace } from '../records.ts'
import { getOne, now, type Steps, updateOne } from './steps.ts'
import { entryOverdueMs, stallMs } from './times.ts'

/** Tries after which an entry that others keep moving is given up. */
const rounds = 6

export const nothing: Counts = { documents: 0, vectors: 0, namespaces: 0 }
export type Counted = keyof Counts

/** What an item of this kind of namespace counts as. */
export const countedAs = (type: Namespace['type']): Counted => (type === 'text' ? 'documents' : 'vectors')

const closed = () => new AppError('unavailable', 'The counts are being put right; try again shortly.', { retryAfterSeconds: 10 })

/**
 * Enters the account under `token` and reserves `amount` of `what` within `limit`.
 * Gives the figure held when the limit refuses it, undefined when it was entered.
 */
export function* enterAccount(
  step: string,
  at: number,
  entry: {
    readonly accountId: string
    readonly token: string
    readonly what: Counted
    readonly amount: number
    readonly limit: number | null
  },
): Steps<number | undefined> {
  const { accountId, token, what, amount, limit } = entry
  for (let round = 0; round < rounds; round += 1) {
    if ((yield* now(`${step}: time`)) - at > stallMs) {
      throw new AppError('unavailable', 'The request was held up for too long; send it again.', { retryAfterSeconds: 1 })
    }
    const entered = yield* updateOne(
      step,
      'accounts',
      [accountId],
      {
        entryClosedUntil: { lte: at },
        [`reservations.${token}`]: null,
        ...(limit === null || amount === 0 ? {} : { [`held.${what}`]: { lte: limit - amount } }),
      },
      {
        set: { [`reservations.${token}`]: { ...nothing, [what]: amount, overdueAt: at + entryOverdueMs } },
        inc: { [`held.${what}`]: amount, reservationCount: 1, seq: 1 },
      },
      // With many operations under way an account is long.
      ['id'],
    )
    if (entered) return undefined
    const account = yield* getOne(`${step}: why not`, 'accounts', accountId)
    if (!account) throw new AppError('notFound', 'The account does not exist.')
    if (account.reservations[token]) throw new AppError('conflict', 'An operation of this id is already under way.')
    if (account.entryClosedUntil > at) throw closed()
    if (limit !== null && amount > 0 && account.held[what] > limit - amount) return account.held[what]
    // Room was given back between the refusal and this look: that is neither a refusal nor a closed entry.
  }
  throw new AppError('unavailable', 'Other requests keep changing the account; try again.', { retryAfterSeconds: 1 })
}

/** Reserves more under an entry that is still there. False when the limit refuses it or the entry is gone. */
export function* reserveMore(
  step: string,
  entry: { readonly accountId: string; readonly token: string; readonly what: Counted; readonly limit: number | null },
): Steps<boolean> {
  const { accountId, token, what, limit } = entry
  const reserved = yield* updateOne(
    step,
    'accounts',
    [accountId],
    { [`reservations.${token}`]: { ne: null }, ...(limit === null ? {} : { [`held.${what}`]: { lte: limit - 1 } }) },
    { inc: { [`reservations.${token}.${what}`]: 1, [`held.${what}`]: 1, seq: 1 } },
    ['id'],
  )
  return reserved !== undefined
}

/** Leaves the account: `changed` becomes part of the counts, the rest of the reservation is given back. Only while the entry is there. */
export function* leaveAccount(
  step: string,
  entry: {
    readonly accountId: string
    readonly token: string
    readonly what: Counted
    readonly reserved: number
    readonly changed: number
  },
): Steps<void> {
  const { accountId, token, what, reserved, changed } = entry
  yield* updateOne(
    step,
    'accounts',
    [accountId],
    { [`reservations.${token}`]: { ne: null } },
    {
      unset: [`reservations.${token}`],
      inc: { [`counts.${what}`]: changed, [`held.${what}`]: changed - reserved, reservationCount: -1, seq: 1 },
    },
    ['id'],
  )
}

/** Enters the namespace while it is active; false when it is not. */
export function* enterNamespace(step: string, at: number, namespaceId: string, token: string): Steps<boolean> {
  const entered = yield* updateOne(
    step,
    'namespaces',
    [namespaceId],
    { state: 'active', entryClosedUntil: { lte: at }, [`open.${token}`]: null },
    { set: { [`open.${token}`]: { overdueAt: at + entryOverdueMs } }, inc: { openCount: 1 } },
    ['id'],
  )
  if (entered) return true
  const namespace = yield* getOne(`${step}: why not`, 'namespaces', namespaceId)
  if (namespace?.state === 'active') throw closed()
  return false
}

/** Leaves the namespace with what changed. Only while the entry is there. */
export function* leaveNamespace(
  step: string,
  namespaceId: string,
  token: string,
  changed: number,
): Steps<Pick<Namespace, 'itemCount'> | undefined> {
  return yield* updateOne(
    step,
    'namespaces',
    [namespaceId],
    { [`open.${token}`]: { ne: null } },
    { unset: [`open.${token}`], inc: { itemCount: changed, countSeq: 1, openCount: -1 } },
    ['itemCount'],
  )
}
