import { defaultLanguage, type Language } from '@cairn/contracts/text/languages'
import { countedAs, enterAccount, leaveAccount, nothing, settleFor } from '../accounts/entry.ts'
import type { Account, Counts, Limit } from '../accounts/record.ts'
import { publishedCount } from '../files/record.ts'
import { takeOverUpload } from '../items/accept.ts'
import { takeOverDeletion } from '../items/delete-items.ts'
import { present } from '../items/item-marks.ts'
import { jobs } from '../jobs/jobs.ts'
import {
  type ChangeOf,
  find,
  get,
  getOne,
  guarded,
  insertOne,
  now,
  type Protocol,
  updateIf,
  type WhereOf,
} from '../protocol/steps.ts'
import { closedEntryMs } from '../protocol/times.ts'
import { lexemesVersion } from '../text/lexemes-version.ts'
import type { CountPass, Namespace, OpenEntry } from './record.ts'

export type CreateNamespaceInput = Pick<
  Namespace,
  'id' | 'accountId' | 'name' | 'type' | 'dimension' | 'embedding' | 'createdAt'
> & {
  readonly language?: Language
  readonly limit: Limit
}

export type CreateNamespaceResult = 'created' | 'exists' | { readonly overLimit: number }

/** `more`: slices remain. `busy`: operations are in progress. `counted`: assigned; the count was off by `off`. */
export type CountResult =
  | { readonly outcome: 'more' | 'busy' | 'gone' }
  | { readonly outcome: 'counted'; readonly off: number }

/**
 * Reserves the slot, then writes the record. The id is the token, so a repeated call finds its own reservation.
 * AppError `unavailable` while other requests keep changing the account.
 */
export function* createNamespace(input: CreateNamespaceInput): Protocol<CreateNamespaceResult> {
  const { limit, ...draft } = input
  const { accountId, id: token } = draft
  const at = yield* now()
  const taken = yield* guarded(
    find('create namespace: look for the name', 'namespaces', { accountId, name: draft.name }, ['id'], 1, ['id']),
  )
  if (taken.length > 0) return 'exists'
  const entry = { accountId, namespaceId: null, token, what: 'namespaces' as const }
  const current = yield* enterAccount('create namespace: reserve', at, { ...entry, amount: 1, limit })
  if (current !== undefined) return { overLimit: current }
  const namespace: Namespace = {
    ...draft,
    language: draft.language ?? defaultLanguage,
    state: 'active',
    deletionId: null,
    deletionStartedAt: null,
    itemCount: 0,
    countSeq: 0,
    open: {},
    openCount: 0,
    entryClosedUntil: 0,
    countPass: null,
    lexemes: lexemesVersion,
  }
  const inserted = yield* insertOne('create namespace: insert', 'namespaces', namespace)
  yield* leaveAccount('create namespace: leave account', { ...entry, reserved: 1, changed: inserted ? 1 : 0 })
  return inserted ? 'created' : 'exists'
}

/** Does nothing if another process has already decided. */
function* decideUpload(id: string, wallAt: number): Protocol<number | undefined> {
  const [upload] = yield* get('recover: read upload', 'uploads', [[id]], ['state', 'changed'])
  if (upload?.state === 'accepting') return (yield* takeOverUpload(id, wallAt))?.changed
  // The record precedes the first change: without one nothing was written.
  return upload?.changed ?? 0
}

/** Releases the job at once, so that a worker removes the points. */
function* decideDeletion(id: string): Protocol<number | undefined> {
  const [deletion] = yield* get('recover: read deletion', 'deletions', [[id]], ['itemsDone', 'changed'])
  if (!deletion || deletion.itemsDone) return deletion?.changed ?? 0
  const token = `recovery_${id}`
  const takenOver = yield* takeOverDeletion(id, token)
  if (!takenOver) return undefined
  yield* jobs('deletions').requeue({ jobId: id, token }, { delayMs: 0, error: null, counted: false, fresh: true })
  return takenOver.changed
}

function* publishedBy(token: string, fileId: string | undefined): Protocol<number> {
  const [file] = fileId === undefined ? [] : yield* get('recover: read file', 'files', [[fileId]], ['settling'])
  return file?.settling?.token === token ? file.settling.changed : 0
}

/** Returns undefined while another process decides it. */
function* decideChange(token: string, { by, fileId }: OpenEntry, wallAt: number): Protocol<number | undefined> {
  if (by === 'file') return yield* publishedBy(token, fileId)
  return by === 'upload' ? yield* decideUpload(token, wallAt) : yield* decideDeletion(token)
}

/**
 * Counts the changes of overdue operations and removes their entries in namespace and account; an undecided record is
 * taken over first (`wallAt`). Costs what the operations wrote; neither waits for requests nor rejects any.
 */
export function* recoverNamespace(namespaceId: string, wallAt: number): Protocol<void> {
  const at = yield* now()
  const namespace = yield* getOne('recover: read open', 'namespaces', namespaceId)
  for (const [token, entry] of Object.entries(namespace?.open ?? {})) {
    if (!namespace || entry.overdueAt > at) continue
    const changed = yield* decideChange(token, entry, wallAt)
    if (changed !== undefined)
      yield* settleFor('recover', { accountId: namespace.accountId, namespaceId, token, changed })
  }
}

type Reservation = Account['reservations'][string]

/** Returns undefined if the namespace has the entry too, which then settles both. */
function* changeOf(
  token: string,
  { namespaceId, namespaces }: Reservation,
): Protocol<{ what: keyof Counts; changed: number } | undefined> {
  if (namespaces > 0) {
    const [created] = yield* get('recover: read created namespace', 'namespaces', [[token]], ['id'])
    return { what: 'namespaces', changed: created ? 1 : 0 }
  }
  const [namespace] =
    namespaceId == null
      ? []
      : yield* get('recover: read its namespace', 'namespaces', [[namespaceId]], ['open', 'type'])
  if (namespace && Object.hasOwn(namespace.open, token)) return undefined
  return { what: namespace ? countedAs(namespace.type) : 'documents', changed: 0 }
}

/** Removes overdue entries of namespace creations, and of operations that are not in their namespace's `open`. */
export function* recoverAccount(accountId: string): Protocol<void> {
  const at = yield* now()
  const account = yield* getOne('recover account: read', 'accounts', accountId)
  for (const [token, reservation] of Object.entries(account?.reservations ?? {})) {
    if (reservation.overdueAt > at) continue
    const found = yield* changeOf(token, reservation)
    if (!found) continue
    const what = reservation.vectors > 0 ? 'vectors' : found.what
    yield* leaveAccount('recover account: leave', { accountId, token, ...found, what, reserved: reservation[what] })
  }
}

/** A few milliseconds of an engine. */
const itemsAtOnce = 2_000
const filesAtOnce = 500

const started = ({ countSeq, countPass }: Namespace): CountPass =>
  countPass && countPass.seq === countSeq ? countPass : { phase: 'items', after: '', sum: 0, seq: countSeq }

/** `next` is undefined at the end. */
function* nextSlice(
  namespaceId: string,
  pass: CountPass,
): Protocol<{ readonly sum: number; readonly next: CountPass | undefined }> {
  const { phase, after, sum } = pass
  if (phase === 'items') {
    const where: WhereOf<'items'> = { namespaceId, id: { gt: after }, ...present }
    const items = yield* find('count: items', 'items', where, ['id'], itemsAtOnce, ['id'])
    const counted = sum + items.length
    const last = items.at(-1)
    const next =
      items.length < itemsAtOnce || !last ? { phase: 'files' as const, after: '' } : { phase, after: last.id }
    return { sum: counted, next: { ...pass, ...next, sum: counted } }
  }
  const files = yield* find('count: files', 'files', { namespaceId, name: { gt: after } }, ['name'], filesAtOnce, [
    'name',
    'live',
  ])
  const counted = files.reduce((total, file) => total + publishedCount(file), sum)
  const last = files.at(-1)
  return {
    sum: counted,
    next: files.length < filesAtOnce || !last ? undefined : { ...pass, after: last.name, sum: counted },
  }
}

/**
 * Does one slice of a full count, whose position is in the record: existing items, then published chunks and summaries.
 * The last slice assigns `itemCount`. Corrects the count for operations that wrote after their recovery. Advances only
 * while no operation is in progress, so an operation knows which of its changes the pass has counted.
 */
export function* countSlice(namespaceId: string): Protocol<CountResult> {
  const namespace = yield* getOne('count: read', 'namespaces', namespaceId)
  if (namespace?.state !== 'active') return { outcome: 'gone' }
  if (namespace.openCount > 0) return { outcome: 'busy' }
  const pass = started(namespace)
  const { sum, next } = yield* nextSlice(namespaceId, pass)
  const moved = yield* updateIf(
    'count: advance',
    'namespaces',
    [namespaceId],
    {
      state: 'active',
      openCount: 0,
      countSeq: namespace.countSeq,
      'countPass.phase': namespace.countPass?.phase ?? null,
      'countPass.after': namespace.countPass?.after ?? null,
    },
    next ? { set: { countPass: next } } : { set: { countPass: null, itemCount: sum }, inc: { countSeq: 1 } },
  )
  if (!moved) return { outcome: 'busy' }
  return next ? { outcome: 'more' } : { outcome: 'counted', off: sum - namespace.itemCount }
}

const slice = 500

/** Assigns the account's counts from its namespaces while no operation is in progress. */
export function* sumAccount(accountId: string): Protocol<CountResult> {
  const account = yield* getOne('sum account: read', 'accounts', accountId)
  if (!account) return { outcome: 'gone' }
  if (account.reservationCount > 0) return { outcome: 'busy' }
  const sums: Record<keyof Counts, number> = { ...nothing }
  for (const state of ['active', 'deleting'] as const) {
    for (let after = ''; ; ) {
      const where: WhereOf<'namespaces'> = { accountId, state, name: { gt: after } }
      const namespaces = yield* find('sum account: read namespaces', 'namespaces', where, ['name'], slice)
      for (const namespace of namespaces) {
        if (state === 'deleting' || namespace.openCount > 0) return { outcome: 'busy' }
        sums[countedAs(namespace.type)] += namespace.itemCount
        sums.namespaces += 1
      }
      const last = namespaces.at(-1)
      if (namespaces.length < slice || !last) break
      after = last.name
    }
  }
  const { counts, held } = account
  const off = (['documents', 'vectors', 'namespaces'] as const).reduce(
    (total, what) => total + Math.abs(counts[what] - sums[what]) + Math.abs(held[what] - counts[what]),
    0,
  )
  if (off === 0) return { outcome: 'counted', off }
  const change: ChangeOf<'accounts'> = { set: { counts: { ...sums }, held: { ...sums } }, inc: { seq: 1 } }
  const assigned = yield* updateIf(
    'sum account: assign',
    'accounts',
    [accountId],
    { seq: account.seq, reservationCount: 0 },
    change,
  )
  return assigned ? { outcome: 'counted', off } : { outcome: 'busy' }
}

/** Rejects entry for 1 s, so that a full count finds a moment without operations in progress. */
export function* closeEntry(namespaceId: string): Protocol<void> {
  const at = yield* now()
  yield* updateIf('close entry', 'namespaces', [namespaceId], {}, { set: { entryClosedUntil: at + closedEntryMs } })
}
