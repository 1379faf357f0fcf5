import { AppError } from '@cairn/contracts/errors'
import type { AcceptInput, AcceptResult } from '../port.ts'
import type { Item, Upload } from '../records.ts'
import { countedAs, enterAccount, enterNamespace, leaveAccount, leaveNamespace, reserveMore } from './entry.ts'
import { idsOfFiles } from './files.ts'
import { fresh, overtaken } from './jobs.ts'
import { get, getOne, insert, insertOne, now, type Steps, update, updateOne } from './steps.ts'
import { acceptingOverdueMs, leaseMs } from './times.ts'

/**
 * Rounds after which ids that other operations keep moving are given up. In each of them one of those that want the same id gets
 * it, so that so many may send it at once.
 */
const rounds = 64

type Draft = AcceptInput['documents'][number]

const newItem = (input: AcceptInput, { id, body }: Draft): Item => ({
  namespaceId: input.namespaceId,
  id,
  kind: input.kind === 'text' ? 'document' : 'vector',
  body,
  version: input.uploadId,
  status: 'processing',
  reason: null,
  indexed: null,
  stale: [],
  createdAt: input.at,
  updatedAt: input.at,
})

/**
 * Compare-and-set on `version` **and** on what is indexed: between our read and this write the old version may have become
 * indexed, and then its body is what search still has to show.
 */
const overwrite = (input: AcceptInput, { id, body }: Draft, old: Item) => ({
  key: [input.namespaceId, id],
  where: { version: old.version, 'indexed.version': old.indexed?.version ?? null },
  change: {
    set: {
      body,
      version: input.uploadId,
      status: 'processing',
      reason: null,
      updatedAt: input.at,
      ...(old.indexed?.version === old.version ? { 'indexed.body': old.body } : {}),
    },
  },
})

const newJob = (input: AcceptInput, at: number): Upload => ({
  id: input.uploadId,
  kind: input.kind,
  file: null,
  accountId: input.accountId,
  namespaceId: input.namespaceId,
  state: 'accepting',
  ...fresh(at),
  overdueAt: at + acceptingOverdueMs,
  leaseSeq: 0,
  correlationId: input.correlationId,
  traceparent: input.traceparent,
  createdAt: input.at,
  updatedAt: input.at,
  ids: input.documents.map((document) => document.id),
  rejected: input.rejected,
  outcomes: [],
  times: {},
})

/** Writes every document as a new version of its item. Gives what was inserted, overwritten, and over quota. */
function* writeItems(input: AcceptInput, entry: Parameters<typeof reserveMore>[1], reserved: number) {
  const accepted: string[] = []
  const overQuota: string[] = []
  let inserted = 0
  let held = reserved
  let waiting: readonly Draft[] = input.documents
  for (let round = 0; waiting.length > 0; round += 1) {
    if (round === rounds)
      throw new AppError('unavailable', 'Other requests keep changing the same ids; try again.', { retryAfterSeconds: 1 })
    const olds = yield* get(
      'accept: read items',
      'items',
      waiting.map(({ id }) => [input.namespaceId, id]),
    )
    const absent: Draft[] = []
    const present: { draft: Draft; old: Item }[] = []
    for (const [index, draft] of waiting.entries()) {
      const old = olds[index]
      if (old) present.push({ draft, old })
      else if (inserted + absent.length < held) absent.push(draft)
      else if (yield* reserveMore('accept: reserve one more', entry)) {
        held += 1
        absent.push(draft)
      } else overQuota.push(draft.id)
    }
    const next: Draft[] = []
    const wasInserted =
      absent.length === 0
        ? []
        : yield* insert(
            'accept: insert items',
            'items',
            absent.map((draft) => newItem(input, draft)),
          )
    for (const [index, draft] of absent.entries()) {
      if (!wasInserted[index]) {
        next.push(draft)
        continue
      }
      inserted += 1
      accepted.push(draft.id)
    }
    const wasWritten =
      present.length === 0
        ? []
        : yield* update(
            'accept: overwrite items',
            'items',
            present.map(({ draft, old }) => overwrite(input, draft, old)),
            ['id'],
          )
    for (const [index, { draft }] of present.entries()) {
      if (wasWritten[index]) accepted.push(draft.id)
      else next.push(draft)
    }
    waiting = next
  }
  return { accepted, overQuota, inserted, held }
}

/** See `Metadata.accept`. The order of the steps is what makes each of them safe to be the last (docs/architecture.md, "Accepting"). */
export function* accept(input: AcceptInput): Steps<AcceptResult> {
  const { accountId, namespaceId, uploadId: token, limit } = input
  const what = countedAs(input.kind === 'text' ? 'text' : 'vector')
  const at = yield* now()
  const existing = yield* get(
    'accept: read which ids exist',
    'items',
    input.documents.map(({ id }) => [namespaceId, id]),
    ['id'],
  )
  const absent = existing.filter((item) => item === undefined).length
  const current = yield* enterAccount('accept: enter account', at, { accountId, token, what, amount: absent, limit })
  if (current !== undefined) return { outcome: 'overLimit', current }
  if (!(yield* enterNamespace('accept: enter namespace', at, namespaceId, token))) {
    yield* leaveAccount('accept: leave account unused', { accountId, token, what, reserved: absent, changed: 0 })
    return { outcome: 'namespaceGone' }
  }
  if (!(yield* insertOne('accept: record', 'uploads', newJob(input, at)))) throw new AppError('conflict', 'An upload of this id exists.')
  // After entering: a file that comes later sees the entry, and waits for what it may still write (`FileJobs.publish`).
  const ids = input.kind === 'text' ? input.documents.map(({ id }) => id) : []
  const taken = yield* idsOfFiles(namespaceId, ids)
  const free = taken.length === 0 ? input : { ...input, documents: input.documents.filter(({ id }) => !taken.includes(id)) }
  const { accepted, overQuota, inserted, held } = yield* writeItems(free, { accountId, token, what, limit }, absent)
  const lease = input.leaseToken === undefined ? null : { token: input.leaseToken, until: at + leaseMs }
  const state = accepted.length === 0 ? 'failed' : lease ? 'running' : 'queued'
  const job = yield* updateOne(
    'accept: queue',
    'uploads',
    [token],
    { state: 'accepting' },
    {
      set: {
        state,
        ids: input.documents.map(({ id }) => id).filter((id) => !overQuota.includes(id) && !taken.includes(id)),
        outcomes: [
          ...overQuota.map((id) => ({ id, outcome: 'failed', reason: 'quota_exceeded' })),
          ...taken.map((id) => ({ id, outcome: 'failed', reason: 'id_conflict' })),
        ],
        ...(state === 'failed' ? { finishedAt: input.at } : {}),
        ...(state === 'running' ? { lease, leaseSeq: 1, starts: 1, nextAttemptAt: at + leaseMs } : {}),
      },
    },
  )
  if (!job) throw overtaken()
  yield* leaveNamespace('accept: leave namespace', namespaceId, token, inserted)
  yield* leaveAccount('accept: leave account', { accountId, token, what, reserved: held, changed: inserted })
  return { outcome: 'accepted', accepted, overQuota, taken, inserted, job }
}

/** See `UploadStore.adopt`. */
export function* adoptUpload(id: string, wallAt: number): Steps<Upload | undefined> {
  const at = yield* now()
  const job = yield* getOne('adopt upload: read', 'uploads', id)
  if (job?.state !== 'accepting' || job.overdueAt > at) return undefined
  const items = yield* get(
    'adopt upload: read items',
    'items',
    job.ids.map((item) => [job.namespaceId, item]),
    ['id', 'version'],
  )
  const ids = items.flatMap((item) => (item?.version === id ? [item.id] : []))
  const over = ids.length === 0 ? { state: 'failed', finishedAt: wallAt } : { state: 'queued', nextAttemptAt: at }
  return yield* updateOne('adopt upload: queue', 'uploads', [id], { state: 'accepting' }, { set: { ...over, ids, updatedAt: wallAt } })
}
