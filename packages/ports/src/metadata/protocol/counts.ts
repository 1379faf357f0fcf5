import { AppError } from '@cairn/contracts/errors'
import type { CreateNamespaceInput, CreateNamespaceResult, RecountResult } from '../port.ts'
import type { Counts, Namespace } from '../records.ts'
import { countedAs, enterAccount, leaveAccount, nothing } from './entry.ts'
import { liveCount } from './files.ts'
import { count, find, getOne, insertOne, now, type Steps, updateOne } from './steps.ts'
import { closedEntryMs } from './times.ts'

/** See `Metadata.createNamespace`. The namespace's id is the token: a repeat of a cut-off call meets its own reservation. */
export function* createNamespace(input: CreateNamespaceInput): Steps<CreateNamespaceResult> {
  const { limit, ...draft } = input
  const { accountId, id: token } = draft
  const at = yield* now()
  const taken = yield* find('create namespace: look for the name', 'namespaces', { accountId, name: draft.name }, ['id'], 1, ['id'])
  if (taken.length > 0) return 'exists'
  const current = yield* enterAccount('create namespace: reserve', at, { accountId, token, what: 'namespaces', amount: 1, limit })
  if (current !== undefined) return { overLimit: current }
  const namespace: Namespace = {
    ...draft,
    state: 'active',
    deletionId: null,
    deletionStartedAt: null,
    itemCount: 0,
    countSeq: 0,
    open: {},
    openCount: 0,
    entryClosedUntil: 0,
  }
  const inserted = yield* insertOne('create namespace: insert', 'namespaces', namespace)
  yield* leaveAccount('create namespace: leave account', { accountId, token, what: 'namespaces', reserved: 1, changed: inserted ? 1 : 0 })
  return inserted ? 'created' : 'exists'
}

/** See `Metadata.countContent`. */
export function* countContent(namespaceId: string): Steps<number> {
  return (yield* count('count content: items', 'items', { namespaceId })) + (yield* liveCount(namespaceId))
}

/**
 * See `Metadata.recountNamespace`. One update assigns the count and empties `open`, conditional on both being as read:
 * in two updates, an operation that entered between them would be counted twice or not at all.
 */
export function* recountNamespace(namespaceId: string, { force = false }: { readonly force?: boolean } = {}): Steps<RecountResult> {
  const at = yield* now()
  const namespace = yield* getOne('recount namespace: read', 'namespaces', namespaceId)
  if (namespace?.state !== 'active') return 'gone'
  const tokens = Object.keys(namespace.open)
  if (tokens.some((token) => (namespace.open[token]?.overdueAt ?? 0) > at)) return 'busy'
  if (tokens.length === 0 && !force) return 'recounted'
  const itemCount = yield* countContent(namespaceId)
  const assigned = yield* updateOne(
    'recount namespace: assign',
    'namespaces',
    [namespaceId],
    {
      state: 'active',
      countSeq: namespace.countSeq,
      openCount: tokens.length,
      ...Object.fromEntries(tokens.map((token) => [`open.${token}`, { ne: null }])),
    },
    { set: { itemCount, open: {}, openCount: 0 }, inc: { countSeq: 1 } },
  )
  return assigned ? 'recounted' : 'busy'
}

/** Namespaces of an account read at once: a bound on one step, not on how many there may be. */
const slice = 500

/** See `Metadata.recountAccount`. */
export function* recountAccount(accountId: string, { force = false }: { readonly force?: boolean } = {}): Steps<RecountResult> {
  const at = yield* now()
  const account = yield* getOne('recount account: read', 'accounts', accountId)
  if (!account) return 'gone'
  const reservations = Object.values(account.reservations)
  if (reservations.some((reservation) => reservation.overdueAt > at)) return 'busy'
  if (reservations.length === 0 && !force) return 'recounted'
  const sums: Record<keyof Counts, number> = { ...nothing }
  for (const state of ['active', 'deleting'] as const) {
    for (let after = ''; ; ) {
      const namespaces = yield* find(
        'recount account: read namespaces',
        'namespaces',
        { accountId, state, name: { gt: after } },
        ['name'],
        slice,
      )
      for (const namespace of namespaces) {
        if (state === 'deleting' || namespace.openCount > 0) return 'busy'
        sums[countedAs(namespace.type)] += namespace.itemCount
        sums.namespaces += 1
      }
      const last = namespaces.at(-1)
      if (namespaces.length < slice || !last) break
      after = last.name
    }
  }
  const assigned = yield* updateOne(
    'recount account: assign',
    'accounts',
    [accountId],
    { seq: account.seq },
    { set: { counts: { ...sums }, held: { ...sums }, reservations: {}, reservationCount: 0 }, inc: { seq: 1 } },
  )
  return assigned ? 'recounted' : 'busy'
}

/** See `Metadata.closeEntry`. */
export function* closeEntry(target: { readonly namespaceId: string } | { readonly accountId: string }): Steps<void> {
  const at = yield* now()
  const change = { set: { entryClosedUntil: at + closedEntryMs } }
  if ('namespaceId' in target) yield* updateOne('close entry: namespace', 'namespaces', [target.namespaceId], {}, change)
  else if ('accountId' in target) yield* updateOne('close entry: account', 'accounts', [target.accountId], {}, change)
  else throw new AppError('internal', 'closeEntry needs a target')
}
