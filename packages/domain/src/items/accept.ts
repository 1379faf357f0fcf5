import { AppError } from '@cairn/contracts/errors'

import { checkStall, countedAs, passedItems, reserveMore, withEntry } from '../accounts/entry.ts'
import type { Limit } from '../accounts/record.ts'
import { recordAccepted } from '../events/events.ts'
import { idsOfFiles } from '../files/ids-of-files.ts'
import { takenOver } from '../jobs/jobs.ts'
import { bytesOf, fresh, shortTextBytes, sized } from '../jobs/new-job.ts'
import type { StepName } from '../protocol/step-names.ts'
import {
  type ChangeOf,
  get,
  getOne,
  guarded,
  insert,
  insertOne,
  now,
  type Protocol,
  remove,
  type UpdateOf,
  update,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import { acceptingOverdueMs, leaseMs } from '../protocol/times.ts'
import { isPresent, mayReplace, present } from './item-marks.ts'
import { asUpload, type Body, type Item, type StoredItem, type Upload } from './record.ts'

export type AcceptInput = Pick<
  Upload,
  'kind' | 'accountId' | 'namespaceId' | 'rejected' | 'correlationId' | 'traceparent'
> & {
  readonly uploadId: string
  /** Distinct ids; at least one. */
  readonly documents: readonly { readonly id: string; readonly body: Body }[]
  /** Versions by id: only items that still have theirs are overwritten, and nothing is inserted. */
  readonly versions?: ReadonlyMap<string, string>
  readonly limit: Limit
  /** Wall time, ms. */
  readonly at: number
  /** The record becomes `running` under this lease, for a request that does the work itself. */
  readonly leaseToken?: string
}

export type AcceptResult =
  | {
      readonly outcome: 'accepted'
      readonly accepted: readonly string[]
      readonly overQuota: readonly string[]
      /** Ids of chunks of files. */
      readonly taken: readonly string[]
      readonly inserted: number
      readonly job: Upload
    }
  /** Nothing was written. */
  | { readonly outcome: 'overLimit'; readonly current: number }
  | { readonly outcome: 'namespaceGone' }

/** Rounds before `unavailable`. Each serves one of the requests for the same id, so this many may send it at once. */
const maxAttempts = 64

type Draft = AcceptInput['documents'][number]

const newItem = (input: AcceptInput, { id, body }: Draft): Item => ({
  namespaceId: input.namespaceId,
  id,
  kind: input.kind === 'text' ? 'document' : 'vector',
  body,
  version: input.uploadId,
  status: 'processing',
  reason: null,
  insertedBy: input.uploadId,
  indexed: null,
  stale: [],
  createdAt: input.at,
  updatedAt: input.at,
})

/** Inserts an item in place of a removed one whose record still exists. */
const replace = (input: AcceptInput, draft: Draft, { version, removedBy }: StoredItem): UpdateOf<'items'> => {
  const { namespaceId, id, ...set } = newItem(input, draft)
  const where: WhereOf<'items'> = { status: 'removed', version, removedBy: removedBy ?? null }
  return { key: [namespaceId, id], where, change: { set, unset: ['removedBy'] } }
}

/**
 * Overwrites if `version` **and** the indexed version are unchanged: between read and write the old version may have
 * become indexed, and then search must still return its body.
 */
const overwrite = (input: AcceptInput, { id, body }: Draft, old: Item): UpdateOf<'items'> => {
  const kept: ChangeOf<'items'>['set'] = old.indexed?.version === old.version ? { 'indexed.body': old.body } : {}
  return {
    key: [input.namespaceId, id],
    where: { version: old.version, ...present, 'indexed.version': old.indexed?.version ?? null },
    change: {
      set: { body, version: input.uploadId, status: 'processing', reason: null, updatedAt: input.at, ...kept },
    },
  }
}

const newJob = (input: AcceptInput, at: number): Upload => ({
  id: input.uploadId,
  kind: input.kind,
  accountId: input.accountId,
  namespaceId: input.namespaceId,
  state: 'accepting',
  ...fresh(at),
  overdueAt: at + acceptingOverdueMs,
  leaseSeq: 0,
  ...sized(bytesOf(input.documents.map(({ body }) => body)), shortTextBytes),
  correlationId: input.correlationId,
  traceparent: input.traceparent,
  createdAt: input.at,
  updatedAt: input.at,
  ids: input.documents.map((document) => document.id),
  rejected: input.rejected,
  outcomes: [],
  times: {},
})

const readItems = ({ namespaceId }: AcceptInput, drafts: readonly Draft[]) =>
  guarded(
    get(
      'accept: read items',
      'items',
      drafts.map(({ id }) => [namespaceId, id]),
    ),
  )

/**
 * The record is written while the request enters the account and the namespace; the first change of an item follows all
 * three writes.
 */
const record = (input: AcceptInput, at: number) => ({
  *begin(): Protocol<boolean> {
    yield* checkStall('accept: record', at)
    return yield* insertOne('accept: record', 'uploads', newJob(input, at))
  },
  *undo(): Protocol<void> {
    yield* remove('accept: remove record', 'uploads', [{ key: [input.uploadId], where: { state: 'accepting' } }])
  },
})

/**
 * Writes every document as a new version of its item. `known`: the items, read before. `skipped`: ids of items with
 * another version; `held`: the reservation.
 */
function* writeItems(
  input: AcceptInput,
  entry: Parameters<typeof reserveMore>[1],
  reserved: number,
  known: ReadonlyMap<string, StoredItem | undefined>,
) {
  const accepted: string[] = []
  const overQuota: string[] = []
  const skipped: string[] = []
  const inserted: string[] = []
  let held = reserved
  let waiting: readonly Draft[] = input.documents
  for (let round = 0; waiting.length > 0; round += 1) {
    if (round === maxAttempts)
      throw new AppError('unavailable', 'Other requests keep changing the same ids; retry.', { retryAfterSeconds: 1 })
    const olds = round === 0 ? waiting.map(({ id }) => known.get(id)) : yield* readItems(input, waiting)
    const isReplaceable = olds.some((old) => old && !isPresent(old))
      ? yield* mayReplace(input.namespaceId)
      : () => false
    const absent: Draft[] = []
    const replaceable: { draft: Draft; old: StoredItem }[] = []
    const existing: { draft: Draft; old: Item }[] = []
    const next: Draft[] = []
    for (const [index, draft] of waiting.entries()) {
      const old = olds[index]
      if (input.versions && !(old && isPresent(old) && old.version === input.versions.get(draft.id))) {
        skipped.push(draft.id)
        continue
      }
      if (old && isPresent(old)) {
        existing.push({ draft, old })
        continue
      }
      if (old && !isReplaceable(old)) {
        next.push(draft)
        continue
      }
      if (inserted.length + absent.length + replaceable.length >= held) {
        if (!(yield* reserveMore('accept: reserve one more', entry))) {
          overQuota.push(draft.id)
          continue
        }
        held += 1
      }
      if (old) replaceable.push({ draft, old })
      else absent.push(draft)
    }
    const fresh = [...absent, ...replaceable.map(({ draft }) => draft)]
    const drafts = [...fresh, ...existing.map(({ draft }) => draft)]
    const done = [
      ...(yield* insertAbsent(input, absent)),
      ...(yield* overwriteAll(
        'accept: replace removed items',
        replaceable.map(({ draft, old }) => replace(input, draft, old)),
      )),
      ...(yield* overwriteAll(
        'accept: overwrite items',
        existing.map(({ draft, old }) => overwrite(input, draft, old)),
      )),
    ]
    inserted.push(...fresh.filter((_, index) => done[index]).map(({ id }) => id))
    accepted.push(...drafts.filter((_, index) => done[index]).map(({ id }) => id))
    waiting = [...next, ...drafts.filter((_, index) => !done[index])]
  }
  return { accepted, overQuota, skipped, inserted, held }
}

function* insertAbsent(input: AcceptInput, drafts: readonly Draft[]): Protocol<boolean[]> {
  if (drafts.length === 0) return []
  return yield* insert(
    'accept: insert items',
    'items',
    drafts.map((draft) => newItem(input, draft)),
  )
}

function* overwriteAll(step: StepName, updates: readonly UpdateOf<'items'>[]): Protocol<boolean[]> {
  if (updates.length === 0) return []
  return (yield* update(step, 'items', updates, ['id'])).map((written) => written !== undefined)
}

/**
 * Reserves quota, writes the job record and the items, queues the job. An existing id is overwritten and costs no
 * quota. `accepted`: the documents are durable. AppError `unavailable` when other operations keep changing the ids, a
 * sweep has taken over the record, or entry is closed. Safe to stop after any step (docs/architecture.md, "Accepting an
 * upload").
 */
export function* accept(input: AcceptInput): Protocol<AcceptResult> {
  const { accountId, namespaceId, uploadId: token, limit } = input
  const what = countedAs(input.kind === 'text' ? 'text' : 'vector')
  const at = yield* now()
  const existing = yield* readItems(input, input.documents)
  const known = new Map(input.documents.map(({ id }, index) => [id, existing[index]]))
  const absent = input.versions ? 0 : existing.filter((item) => !item || !isPresent(item)).length
  const entry = { accountId, namespaceId, token, what, amount: absent, limit, by: 'upload' as const }
  const entered = yield* withEntry(
    'accept',
    at,
    entry,
    function* (pass, recorded) {
      // The result of an existing record is not this request's.
      if (!recorded) return { result: undefined, reserved: absent, changed: 0, passed: null }
      // Read after entering: a file registered later sees this entry, and waits for its writes (`publish`).
      const ids = input.kind === 'text' ? input.documents.map(({ id }) => id) : []
      const taken = yield* idsOfFiles(namespaceId, ids)
      const free =
        taken.length === 0 ? input : { ...input, documents: input.documents.filter(({ id }) => !taken.includes(id)) }
      const { accepted, overQuota, skipped, inserted, held } = yield* writeItems(
        free,
        { accountId, token, what, limit },
        absent,
        known,
      )
      const lease = input.leaseToken === undefined ? null : { token: input.leaseToken, until: at + leaseMs }
      const state = accepted.length === 0 ? 'failed' : lease ? 'running' : 'queued'
      const queued = yield* updateOne(
        'accept: queue',
        'uploads',
        [token],
        { state: 'accepting' },
        {
          set: {
            state,
            changed: inserted.length,
            ids: input.documents
              .map(({ id }) => id)
              .filter((id) => !overQuota.includes(id) && !taken.includes(id) && !skipped.includes(id)),
            outcomes: [
              ...overQuota.map((id) => ({ id, outcome: 'failed', reason: 'quota_exceeded' })),
              ...taken.map((id) => ({ id, outcome: 'failed', reason: 'id_conflict' })),
            ],
            ...(state === 'failed' ? { finishedAt: input.at } : {}),
            ...(state === 'running' ? { lease, leaseSeq: 1, starts: 1, nextAttemptAt: at + leaseMs } : {}),
          },
        },
      )
      const job = asUpload(queued)
      if (!job) throw takenOver()
      const result = { accepted, overQuota, taken, inserted: inserted.length, job }
      const passed = passedItems(pass, inserted)
      return {
        result,
        reserved: held,
        changed: inserted.length,
        passed,
        meanwhile: recordAccepted(job, { isFirst: true }),
      }
    },
    record(input, at),
  )
  if (entered.outcome !== 'left') return entered
  if (!entered.result) throw new AppError('conflict', 'An upload of this id exists.')
  return { outcome: 'accepted', ...entered.result }
}

/**
 * Turns an overdue `accepting` record to `queued` with the ids whose items have its version; without such, to `failed`.
 * This one update fixes what the dead request has changed; the sweep that recovers counts settles it.
 */
export function* takeOverUpload(id: string, wallAt: number): Protocol<Upload | undefined> {
  const at = yield* now()
  const job = yield* getOne('take over upload: read', 'uploads', id)
  if (job?.state !== 'accepting' || job.overdueAt > at) return undefined
  const items = yield* get(
    'take over upload: read items',
    'items',
    job.ids.map((item) => [job.namespaceId, item]),
    ['id', 'version', 'status', 'insertedBy'],
  )
  const ids = items.flatMap((item) => (item && isPresent(item) && item.version === id ? [item.id] : []))
  // Includes removed items: their deletion counts them separately.
  const changed = items.filter((item) => item?.insertedBy === id).length
  const over = ids.length === 0 ? { state: 'failed', finishedAt: wallAt } : { state: 'queued', nextAttemptAt: at }
  const queued = yield* updateOne(
    'take over upload: queue',
    'uploads',
    [id],
    { state: 'accepting' },
    { set: { ...over, ids, changed, updatedAt: wallAt } },
  )
  return asUpload(queued)
}
