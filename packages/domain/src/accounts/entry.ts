import { AppError } from '@cairn/contracts/errors'
import type { FileRecord } from '../files/record.ts'
import { compareText } from '../items/documents.ts'
import type { CountPass, Namespace, OpenEntry } from '../namespaces/record.ts'
import type { Entering, EnterStep, InTimeStep, Leaving, StepName } from '../protocol/step-names.ts'
import { type ChangeOf, get, getOne, now, type Protocol, together, updateIf, updateOne } from '../protocol/steps.ts'
import { entryOverdueMs, stallMs } from '../protocol/times.ts'
import type { Counts } from './record.ts'

/** Attempts after which an operation fails as unavailable because other operations keep changing the entry. */
const rounds = 6

export const nothing: Counts = { documents: 0, vectors: 0, namespaces: 0 }
export type Counted = keyof Counts

export const countedAs = (type: Namespace['type']): Counted => (type === 'text' ? 'documents' : 'vectors')

/** An operation's entry. `namespaceId`: the namespace that it enters next; null when it creates one. */
type AccountEntry = {
  readonly accountId: string
  readonly namespaceId: string | null
  readonly token: string
  readonly what: Counted
}

/** Throws for a request that was delayed for longer than `stallMs`, because recovery could run while it writes. */
export function* checkStall(step: InTimeStep, at: number): Protocol<void> {
  if ((yield* now(`${step}: time`)) - at > stallMs)
    throw new AppError('unavailable', 'The request was delayed for too long; retry it.', { retryAfterSeconds: 1 })
}

/** Reserves `amount` of `what` within `limit`. Returns the current usage if the limit rejects it, else undefined. */
export function* enterAccount(
  step: EnterStep,
  at: number,
  entry: AccountEntry & { readonly amount: number; readonly limit: number | null },
): Protocol<number | undefined> {
  const { accountId, namespaceId, token, what, amount, limit } = entry
  for (let round = 0; round < rounds; round += 1) {
    yield* checkStall(step, at)
    const entered = yield* updateIf(
      step,
      'accounts',
      [accountId],
      {
        [`reservations.${token}`]: null,
        ...(limit === null || amount === 0 ? {} : { [`held.${what}`]: { lte: limit - amount } }),
      },
      {
        set: { [`reservations.${token}`]: { ...nothing, [what]: amount, overdueAt: at + entryOverdueMs, namespaceId } },
        inc: { [`held.${what}`]: amount, reservationCount: 1, seq: 1 },
      },
    )
    if (entered) return undefined
    const account = yield* getOne(`${step}: why not`, 'accounts', accountId)
    if (!account) throw new AppError('notFound', 'The account does not exist.')
    if (account.reservations[token]) throw new AppError('conflict', 'An operation of this id is already under way.')
    if (limit !== null && amount > 0 && account.held[what] > limit - amount) return account.held[what]
    // Capacity was released between the rejection and this read: try again.
  }
  throw new AppError('unavailable', 'Other requests keep changing the account; retry.', { retryAfterSeconds: 1 })
}

/** Returns false when the limit rejects one more of `what`, or the entry is gone. */
export function* reserveMore(
  step: StepName,
  entry: Pick<AccountEntry, 'accountId' | 'token' | 'what'> & { readonly limit: number | null },
): Protocol<boolean> {
  const { accountId, token, what, limit } = entry
  return yield* updateIf(
    step,
    'accounts',
    [accountId],
    { [`reservations.${token}`]: { ne: null }, ...(limit === null ? {} : { [`held.${what}`]: { lte: limit - 1 } }) },
    { inc: { [`reservations.${token}.${what}`]: 1, [`held.${what}`]: 1, seq: 1 } },
  )
}

/** Adds `changed` to the counts and releases the rest of the reservation. Does nothing unless the entry exists. */
export function* leaveAccount(
  step: StepName,
  entry: Pick<AccountEntry, 'accountId' | 'token' | 'what'> & { readonly reserved: number; readonly changed: number },
): Protocol<void> {
  const { accountId, token, what, reserved, changed } = entry
  yield* updateIf(
    step,
    'accounts',
    [accountId],
    { [`reservations.${token}`]: { ne: null } },
    {
      unset: [`reservations.${token}`],
      inc: { [`counts.${what}`]: changed, [`held.${what}`]: changed - reserved, reservationCount: -1, seq: 1 },
    },
  )
}

/**
 * Returns undefined if the namespace is not active, `closed` while entry is closed. `pass`, the full count in progress,
 * does not advance while any operation is in progress: an operation that leaves knows which of its changes it has
 * counted.
 */
function* enterNamespace(
  step: EnterStep,
  at: number,
  namespaceId: string,
  token: string,
  by: Pick<OpenEntry, 'by' | 'fileId'>,
): Protocol<{ readonly pass: CountPass | null } | 'closed' | undefined> {
  yield* checkStall(step, at)
  const entered = yield* updateOne(
    step,
    'namespaces',
    [namespaceId],
    { state: 'active', entryClosedUntil: { lte: at }, [`open.${token}`]: null },
    { set: { [`open.${token}`]: { overdueAt: at + entryOverdueMs, ...by } }, inc: { openCount: 1 } },
    ['countPass'],
  )
  if (entered) return { pass: entered.countPass ?? null }
  const namespace = yield* getOne(`${step}: why not`, 'namespaces', namespaceId)
  return namespace?.state === 'active' ? 'closed' : undefined
}

/** Does nothing unless the entry exists. `passed`: part of the change that a full count in progress has passed. */
function* leaveNamespace(
  step: StepName,
  namespaceId: string,
  token: string,
  changed: number,
  passed: number | null,
): Protocol<Pick<Namespace, 'itemCount'> | undefined> {
  // Without this update the pass would find that an operation left without adding its change, and start again.
  const counted: ChangeOf<'namespaces'>['inc'] = passed === null ? {} : { 'countPass.sum': passed, 'countPass.seq': 1 }
  return yield* updateOne(
    step,
    'namespaces',
    [namespaceId],
    { [`open.${token}`]: { ne: null } },
    { unset: [`open.${token}`], inc: { itemCount: changed, countSeq: 1, openCount: -1, ...counted } },
    ['itemCount'],
  )
}

export type Settlement = Pick<AccountEntry, 'accountId' | 'token' | 'what'> & {
  readonly namespaceId: string
  readonly reserved: number
  readonly changed: number
  /** Part of `changed` that a full count in progress has passed; null: unknown, or no count. */
  readonly passed: number | null
}

/**
 * Leaves the namespace and the account. Any process that knows the decision may call this, repeatedly. The account is
 * left first: an entry in the account that its namespace lacks is of an operation that never entered the namespace, so
 * wrote nothing.
 */
export function* settle(name: Leaving, settlement: Settlement): Protocol<Pick<Namespace, 'itemCount'> | undefined> {
  const { namespaceId, token, changed, passed } = settlement
  yield* leaveAccount(`${name}: leave account`, settlement)
  return yield* leaveNamespace(`${name}: leave namespace`, namespaceId, token, changed, passed)
}

/** `reserved`: the whole reservation; `changed`: the part that was used. */
type Decided<R> = Pick<Settlement, 'reserved' | 'changed' | 'passed'> & {
  readonly result: R
  /** Runs while the operation leaves. */
  readonly meanwhile?: Protocol<void>
}
type Left<R> = { readonly outcome: 'left'; readonly result: R; readonly remaining: number | undefined }

/** Writes done while the operation enters; undone if the account or the namespace rejects it. */
type Alongside<B> = { readonly begin: () => Protocol<B>; readonly undo: (begun: B) => Protocol<void> }

/**
 * Enters, with `alongside` in parallel, runs the operation and settles its decision. If the operation throws, recovery
 * settles both entries.
 */
export function* withEntry<R, B = undefined>(
  name: Entering,
  at: number,
  entry: AccountEntry & {
    readonly namespaceId: string
    readonly amount: number
    readonly limit: number | null
  } & Required<Pick<OpenEntry, 'by'>> &
    Pick<OpenEntry, 'fileId'>,
  operation: (pass: CountPass | null, begun: B | undefined) => Protocol<Decided<R>>,
  alongside?: Alongside<B>,
): Protocol<
  Left<R> | { readonly outcome: 'overLimit'; readonly current: number } | { readonly outcome: 'namespaceGone' }
> {
  const { namespaceId, token, amount, by, fileId } = entry
  const opened = fileId === undefined ? { by } : { by, fileId }
  const [current, entered, begun] = yield* together(
    enterAccount(`${name}: enter account`, at, entry),
    enterNamespace(`${name}: enter namespace`, at, namespaceId, token, opened),
    alongside?.begin(),
  )
  const inside = entered === 'closed' ? undefined : entered
  if (current !== undefined || !inside) {
    yield* together(
      current === undefined
        ? leaveAccount(`${name}: leave account unused`, { ...entry, reserved: amount, changed: 0 })
        : undefined,
      inside && leaveNamespace(`${name}: leave namespace unused`, namespaceId, token, 0, inside.pass ? 0 : null),
      begun && alongside?.undo(begun),
    )
    if (!entered) return { outcome: 'namespaceGone' }
    if (current !== undefined) return { outcome: 'overLimit', current }
    throw new AppError('unavailable', 'Usage counters are being reconciled; retry in 1 second.', {
      retryAfterSeconds: 1,
    })
  }
  const { result, meanwhile, ...decided } = yield* operation(inside.pass, begun)
  const [left] = yield* together(settle(name, { ...entry, ...decided }), meanwhile)
  return { outcome: 'left', result, remaining: left?.itemCount }
}

/** Settles an operation that another process began. */
export function* settleFor(
  name: Leaving,
  { accountId, namespaceId, token, changed }: Pick<Settlement, 'accountId' | 'namespaceId' | 'token' | 'changed'>,
): Protocol<void> {
  const [namespace] = yield* get(`${name}: read namespace`, 'namespaces', [[namespaceId]], ['type'])
  if (!namespace) return
  const what = countedAs(namespace.type)
  const [account] = yield* get(`${name}: read account`, 'accounts', [[accountId]], ['reservations'])
  const reserved = account?.reservations[token]?.[what] ?? 0
  yield* settle(name, { accountId, namespaceId, token, what, reserved, changed, passed: null })
}

/** Counts the file's last publication before its record is overwritten. */
export function* settlePublished({ accountId, namespaceId, settling }: FileRecord): Protocol<void> {
  if (settling) yield* settleFor('settle published', { accountId, namespaceId, ...settling })
}

/** Returns how many of these ids a full count in progress has passed; null: no count. */
export const passedItems = (pass: CountPass | null, ids: readonly string[]): number | null => {
  if (!pass) return null
  return pass.phase === 'files' ? ids.length : ids.filter((id) => compareText(id, pass.after) <= 0).length
}

/** Returns the part of a file's change that a full count in progress has passed; null: no count. */
export const passedFile = (pass: CountPass | null, name: string, changed: number): number | null => {
  if (!pass) return null
  return pass.phase === 'files' && compareText(name, pass.after) <= 0 ? changed : 0
}
