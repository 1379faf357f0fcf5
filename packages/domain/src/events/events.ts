import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { FileRecord } from '../files/record.ts'
import { isPresent } from '../items/item-marks.ts'
import type { DocumentOutcome, StoredItem, Upload } from '../items/record.ts'
import {
  count,
  find,
  get,
  insertOne,
  type Protocol,
  read,
  readLatest,
  removeAll,
  type UpdateOf,
  update,
} from '../protocol/steps.ts'
import {
  closeNumbers,
  drawNumber,
  expireNumbers,
  passLastNumber,
  readAfter,
  readBounds,
  releaseNumber,
} from './event-numbers.ts'
import type { EventGroup, EventRecord, EventType } from './record.ts'

/** Attempts before `unavailable`, when other processes keep using or closing the drawn numbers. */
const maxAttempts = 64

type RecordOptions = {
  /** Whether the event is almost certainly new: then its number is drawn without reading first. */
  readonly isFirst?: boolean
}
type About = Pick<EventRecord, 'accountId' | 'namespaceId' | 'jobId' | 'at'>

/**
 * Appends once per key. A function as `source` reads facts after the number is drawn: it sees what others changed
 * before they recorded a lower number, so events are in the order of the changes.
 */
function* recordEvents(
  key: string,
  about: About,
  source: readonly EventGroup[] | (() => Protocol<readonly EventGroup[]>),
  { isFirst = false }: RecordOptions = {},
): Protocol<void> {
  const { accountId } = about
  const id = `${accountId} ${key}`
  if (!isFirst && (yield* isRecorded(id))) return
  for (let round = 0; round < maxAttempts; round += 1) {
    const number = yield* drawNumber(accountId, about.at)
    const groups = typeof source === 'function' ? yield* source() : source
    const record = { id, ...about, ...number, groups: groups.filter(({ ids }) => ids.length > 0) }
    if (yield* insertOne('record event', 'events', record)) return
    if (yield* isRecorded(id)) return yield* releaseNumber(accountId, number)
    // Another process has used or closed the number: the facts may have changed.
    yield* passLastNumber(accountId)
  }
  throw new AppError('unavailable', 'Other requests keep changing the account; retry.', { retryAfterSeconds: 1 })
}

function* isRecorded(id: string): Protocol<boolean> {
  const [found] = yield* get('record event: read', 'events', [[id]], ['id'])
  return found !== undefined
}

const typeOf = ({ kind }: Pick<Upload, 'kind'>, what: 'accepted' | 'searchable' | 'failed' | 'superseded'): EventType =>
  `${kind === 'text' ? 'document' : 'vector'}.${what}`

const aboutUpload = ({ id, accountId, namespaceId }: Upload, at: number): About => ({
  accountId,
  namespaceId,
  jobId: id,
  at,
})

export function* recordAccepted(job: Upload, options: RecordOptions = {}): Protocol<void> {
  const groups: EventGroup[] = [{ type: typeOf(job, 'accepted'), ids: job.ids }, ...failuresIn(job, job.outcomes)]
  yield* recordEvents(`${job.id} accepted`, aboutUpload(job, job.createdAt), groups, options)
}

const failuresIn = (job: Upload, outcomes: readonly DocumentOutcome[]): EventGroup[] =>
  [
    ...Map.groupBy(
      outcomes.filter(({ outcome }) => outcome === 'failed'),
      ({ reason }) => reason,
    ),
  ].map(([reason, some]) => ({
    type: typeOf(job, 'failed'),
    ids: some.map(({ id }) => id),
    ...(reason === undefined ? {} : { reason }),
  }))

/**
 * Records documents as accepted if their request did not: it died first, or wrote some of them after another process
 * had taken over the record. `endedBefore`: number of documents that ended earlier.
 */
function* recordMissingAccepted(job: Upload, ended: readonly DocumentOutcome[], endedBefore: number): Protocol<void> {
  const key = `${job.accountId} ${job.id} accepted`
  const [recorded] = yield* get('record event: read accepted', 'events', [[key]], ['namespaceId', 'groups'])
  if (!recorded) return yield* recordAccepted(job)
  // The content of events is removed with their namespace.
  if (recorded.namespaceId === null) return
  const known = new Set(recorded.groups.flatMap(({ ids }) => ids))
  const late = ended.map(({ id }) => id).filter((id) => !known.has(id))
  if (late.length === 0) return
  const groups = [{ type: typeOf(job, 'accepted'), ids: late }]
  yield* recordEvents(`${job.id} accepted ${endedBefore}`, aboutUpload(job, job.createdAt), groups)
}

/** Records the final event of each document without an outcome in the record; `superseded` if deleted since. */
export function* recordFinalEvents(job: Upload, outcomes: readonly DocumentOutcome[], at: number): Protocol<void> {
  const before = new Set(job.outcomes.map(({ id }) => id))
  const ended = outcomes.filter(({ id }) => !before.has(id))
  // The `accepted` event of an older upload may have expired, and would be recorded again.
  if (at - job.createdAt < limits.eventRetentionMs) yield* recordMissingAccepted(job, ended, before.size)
  if (ended.length === 0) return
  const idsOf = (outcome: DocumentOutcome['outcome']) =>
    ended.filter((one) => one.outcome === outcome).map(({ id }) => id)
  const completed = idsOf('completed')
  function* read(): Protocol<EventGroup[]> {
    const items = yield* get(
      'record event: read items',
      'items',
      completed.map((id) => [job.namespaceId, id]),
      ['status', 'version', 'indexed'],
    )
    const gone = new Set(completed.filter((_, index) => !isSearchable(items[index], job.id)))
    return [
      { type: typeOf(job, 'searchable'), ids: completed.filter((id) => !gone.has(id)) },
      ...failuresIn(job, ended),
      { type: typeOf(job, 'superseded'), ids: idsOf('superseded'), reason: 'overwritten' },
      { type: typeOf(job, 'superseded'), ids: [...idsOf('deleted'), ...gone], reason: 'deleted' },
    ]
  }
  yield* recordEvents(`${job.id} ended ${before.size}`, aboutUpload(job, at), read, { isFirst: true })
}

/** Whether this version is indexed or overwritten by another one, whose upload records its own event. */
const isSearchable = (item: Pick<StoredItem, 'status' | 'version' | 'indexed'> | undefined, version: string): boolean =>
  item !== undefined && isPresent(item) && (item.indexed?.version === version || item.version !== version)

export function* recordDeleted(
  deletion: { readonly id: string; readonly accountId: string; readonly namespaceId: string },
  what: { readonly type: 'document.deleted' | 'vector.deleted' | 'file.deleted'; readonly ids: readonly string[] },
  at: number,
  options: RecordOptions = {},
): Protocol<void> {
  const { id, accountId, namespaceId } = deletion
  if (what.ids.length === 0) return
  yield* recordEvents(
    `${id} deleted`,
    { accountId, namespaceId, jobId: id, at },
    function* () {
      const again = yield* recordedAgain(accountId, namespaceId, what)
      return [{ type: what.type, ids: what.ids.filter((one) => !again.has(one)) }]
    },
    options,
  )
}

/**
 * Returns the ids that exist again and whose `accepted` event is recorded: a deletion recorded now would follow that
 * event, though it happened before.
 */
function* recordedAgain(
  accountId: string,
  namespaceId: string,
  { type, ids }: { readonly type: EventType; readonly ids: readonly string[] },
): Protocol<ReadonlySet<string>> {
  const present: { readonly id: string; readonly version: string }[] = []
  if (type === 'file.deleted') {
    for (const name of ids) {
      const [file] = yield* find('record event: read file', 'files', { namespaceId, name }, ['id'], 1, ['version'])
      if (file) present.push({ id: name, version: file.version })
    }
  } else {
    const keys = ids.map((id) => [namespaceId, id])
    const items = yield* get('record event: read deleted items', 'items', keys, ['id', 'status', 'version'])
    present.push(...items.filter((item) => item !== undefined).filter(isPresent))
  }
  if (present.length === 0) return new Set()
  const accepted = yield* get(
    'record event: read accepted',
    'events',
    present.map(({ version }) => [`${accountId} ${version} accepted`]),
    ['id'],
  )
  return new Set(present.filter((_, index) => accepted[index]).map(({ id }) => id))
}

export function* recordNamespaceDeleted(
  job: { readonly id: string; readonly accountId: string; readonly namespaceName: string },
  at: number,
): Protocol<void> {
  const about = { accountId: job.accountId, namespaceId: null, jobId: job.id, at }
  yield* recordEvents(`${job.id} deleted`, about, [{ type: 'namespace.deleted', ids: [job.namespaceName] }])
}

type AboutFile = Pick<FileRecord, 'accountId' | 'namespaceId' | 'name' | 'version'>

function* recordFileEvent(
  key: string,
  { accountId, namespaceId, name, version }: AboutFile,
  group: Omit<EventGroup, 'ids'>,
  at: number,
): Protocol<void> {
  const about = { accountId, namespaceId, jobId: null, at }
  yield* recordEvents(`${version} ${key}`, about, [{ ...group, ids: [name] }])
}

export function* recordFileAccepted(file: AboutFile, at: number): Protocol<void> {
  yield* recordFileEvent('accepted', file, { type: 'file.accepted' }, at)
}

/** Requires that the file was recorded as accepted. */
export function* recordFileProgress(
  file: AboutFile & Pick<FileRecord, 'stage' | 'progress'>,
  at: number,
): Protocol<void> {
  const { stage, progress } = file
  const key = [stage, ...Object.entries(progress).map(([name, value]) => `${name}=${value}`)].join(' ')
  yield* recordFileEvent(key, file, { type: 'file.progress', stage, progress }, at)
}

export function* recordFileEnded(
  file: AboutFile & Pick<FileRecord, 'outcome' | 'createdAt' | 'notes'>,
  at: number,
): Protocol<void> {
  const { outcome, notes } = file
  if (!outcome) return
  // The request may have died before recording the acceptance.
  yield* recordFileAccepted(file, file.createdAt)
  const group =
    outcome.state === 'failed'
      ? ({ type: 'file.failed', reason: outcome.reason } as const)
      : ({
          type: 'file.searchable',
          ...(notes.length > 0 && {
            notes: { count: notes.length, codes: [...new Set(notes.map(({ code }) => code))] },
          }),
        } as const)
  yield* recordFileEvent('ended', file, group, at)
}

/** Changes of each account's content. Records expire; when a namespace is deleted, its records lose their content. */
export const events = {
  after: read(readAfter),
  bounds: read(readBounds),
  close: closeNumbers,
  *removeOfNamespace(namespaceId: string, limit: number): Protocol<number> {
    const found = yield* find('events: find of namespace', 'events', { namespaceId }, ['seq'], limit, ['id'])
    const updates = found.map(
      ({ id }): UpdateOf<'events'> => ({ key: [id], where: {}, change: { set: { namespaceId: null, groups: [] } } }),
    )
    yield* update('events: remove of namespace', 'events', updates, ['id'])
    return found.length
  },
  countOfNamespace: readLatest((namespaceId: string) => count('events: count of namespace', 'events', { namespaceId })),
  /** Removes records from before this wall time. */
  *prune(before: number, limit: number): Protocol<number> {
    const fields = ['id', 'accountId', 'seq'] as const
    const old = yield* find('events: find old', 'events', { at: { lt: before } }, ['at'], limit, fields)
    for (const [accountId, some] of Map.groupBy(old, (record) => record.accountId))
      yield* expireNumbers(accountId, Math.max(...some.map(({ seq }) => seq)))
    const keys = old.map(({ id }) => [id])
    return yield* removeAll('events: prune', 'events', keys)
  },
}
