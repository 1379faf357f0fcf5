import { AppError } from '@cairn/contracts/errors'
import { recordFileAccepted, recordFileEnded, recordFileProgress } from '../events/events.ts'
import { finish, jobs } from '../jobs/jobs.ts'
import type { Lease } from '../jobs/record.ts'
import type { Page } from '../protocol/page.ts'
import type { StepName } from '../protocol/step-names.ts'
import {
  type ChangeOf,
  find,
  get,
  getOne,
  now,
  type Protocol,
  type ReadProtocol,
  read,
  readLatest,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import { publish } from './publish.ts'
import { extractionOf, type FileOptions, type FileRecord, type FileState, publishedCount } from './record.ts'
import {
  decidedAs,
  fileByName,
  never,
  noMetadata,
  type RegisterInput,
  register,
  restarted,
  withOtherMetadata,
} from './register.ts'

/** For a change that other changes keep overtaking. */
const maxAttempts = 16
/** Records per read of a whole namespace. */
const slice = 500

function* sumFiles(
  step: StepName,
  namespaceId: string,
  numberOf: (file: Pick<FileRecord, 'live'>) => number,
): ReadProtocol<number> {
  let sum = 0
  for (let after = ''; ; ) {
    const some = yield* find(step, 'files', { namespaceId, name: { gt: after } }, ['name'], slice, ['name', 'live'])
    for (const file of some) sum += numberOf(file)
    const last = some.at(-1)
    if (some.length < slice || !last) return sum
    after = last.name
  }
}

const stateFields = ['id', 'name', 'version', 'state', 'outcome', 'live', 'stale'] as const

export const files = {
  ...jobs<FileRecord>('files'),
  byName: read((namespaceId: string, name: string) => fileByName('files: by name', namespaceId, name)),
  /** Returns what decides whether a version is dead, from the latest committed state: points are removed by it. */
  latestStates: readLatest(function* (ids: readonly string[]): ReadProtocol<FileState[]> {
    const keys = ids.map((id) => [id])
    return (yield* get('files: latest states', 'files', keys, stateFields)).filter((file) => file !== undefined)
  }),
  page: read((namespaceId: string, { after = '', limit }: Page) =>
    find('files: page', 'files', { namespaceId, name: { gt: after } }, ['name'], limit),
  ),
  register,
  /** Writes progress on the condition of the lease and `version`; false: one of them has changed. */
  *recordProgress(
    lease: Lease,
    change: {
      readonly version: string
      readonly set: Partial<Pick<FileRecord, 'stage' | 'progress' | 'checkpoint' | 'notes' | 'times' | 'passages'>>
      readonly at: number
    },
  ): Protocol<boolean> {
    const noted = yield* updateOne(
      'files: record progress',
      'files',
      [lease.jobId],
      { 'lease.token': lease.token, version: change.version },
      { set: { ...change.set, updatedAt: change.at } },
      ['accountId', 'namespaceId', 'name', 'version', 'stage', 'progress', 'createdAt'],
    )
    // The request may have died before recording the acceptance; a stage is a version's first progress.
    if (noted && change.set.stage) yield* recordFileAccepted(noted, change.at)
    if (noted && (change.set.stage ?? change.set.progress)) yield* recordFileProgress(noted, change.at)
    return noted !== undefined
  },
  publish,
  /** Makes the version's chunks stale; the published version stays. Returns false when the lease is lost. */
  fail: (
    lease: Lease,
    {
      version,
      reason,
      message,
      at,
    }: { readonly version: string; readonly reason: string; readonly message: string; readonly at: number },
  ) =>
    updateIf(
      'files: fail',
      'files',
      [lease.jobId],
      { 'lease.token': lease.token, version, outcome: null },
      {
        set: { outcome: { state: 'failed', reason, message }, stage: 'cleaning', updatedAt: at },
        push: { stale: [version] },
      },
    ),
  /** Makes the job due now if it waits for the chunks of this version, which have been indexed. */
  *wakeJob({ id, version }: Pick<FileRecord, 'id' | 'version'>): Protocol<void> {
    const nextAttemptAt = yield* now()
    yield* updateIf(
      'files: wake job',
      'files',
      [id],
      { version, state: 'queued', stage: 'indexing' },
      { set: { nextAttemptAt } },
    )
  },
  *dropStale(id: string, versions: readonly string[]): Protocol<void> {
    yield* updateIf('files: drop stale', 'files', [id], {}, { pull: { stale: versions } })
  },
  /** Returns false when the lease is lost. */
  *complete(
    lease: Lease,
    { times, at }: { readonly times: FileRecord['times']; readonly at: number },
  ): Protocol<boolean> {
    const file = yield* getOne('files: read to complete', 'files', lease.jobId)
    if (!file?.outcome || file.lease?.token !== lease.token) return false
    yield* recordFileEnded(file, at)
    const endedAt = yield* now()
    return yield* finish('files', lease, {
      state: file.outcome.state,
      // When the bytes of a failed file may have to be removed.
      nextAttemptAt: endedAt,
      endedAt,
      stage: 'done',
      checkpoint: null,
      times,
      updatedAt: at,
      finishedAt: at,
    })
  },
  /** Returns undefined when the file is not finished, or its version is no longer `from`. */
  *reprocess(
    id: string,
    {
      from,
      version,
      options,
      at: wallAt,
      correlationId,
      traceparent,
    }: Pick<RegisterInput, 'version' | 'at' | 'correlationId' | 'traceparent'> & {
      readonly from: string
      readonly options: FileOptions
    },
  ): Protocol<FileRecord | undefined> {
    const at = yield* now()
    const file = yield* getOne('files: read for another try', 'files', id)
    if (file?.version !== from || (file.state !== 'completed' && file.state !== 'failed')) return undefined
    const { set, ...rest } = restarted(file, version, at, wallAt)
    const begun = yield* updateOne(
      'files: reprocess',
      'files',
      [id],
      { version: from, state: file.state, claimedBy: null, bytesRemovedAt: null },
      { ...rest, set: { ...set, options, correlationId, traceparent } },
    )
    if (begun) yield* recordFileAccepted(begun, wallAt)
    return begun
  },
  /**
   * Gives the file other metadata, as a version of its own; searches return the previous chunks until its chunks are
   * published. `withoutBytes`: it failed and its bytes were removed. Undefined: no such file, or it is being deleted.
   */
  *changeMetadata(
    namespaceId: string,
    name: string,
    {
      metadata,
      version,
      at: wallAt,
      ...cause
    }: Pick<RegisterInput, 'version' | 'at' | 'correlationId' | 'traceparent'> & { readonly metadata: string },
  ): Protocol<{ readonly outcome: 'queued' | 'unchanged' | 'withoutBytes'; readonly file: FileRecord } | undefined> {
    const at = yield* now()
    for (let round = 0; round < maxAttempts; round += 1) {
      const file = yield* fileByName('change metadata: read', namespaceId, name)
      if (!file || file.claimedBy !== undefined) return undefined
      if ((file.metadata ?? noMetadata) === metadata) return { outcome: 'unchanged', file }
      if (file.bytesRemovedAt) return { outcome: 'withoutBytes', file }
      const { set, ...rest } = withOtherMetadata(file, metadata, { version, at, wallAt })
      const asRead: WhereOf<'files'> = {
        ...{ version: file.version, claimedBy: null, bytesRemovedAt: null },
        ...decidedAs(file),
      }
      const change: ChangeOf<'files'> = { ...rest, set: { ...set, ...cause } }
      const changed = yield* updateOne('change metadata', 'files', [file.id], asRead, change)
      if (!changed) continue
      yield* recordFileAccepted(changed, wallAt)
      return { outcome: 'queued', file: changed }
    }
    throw new AppError('unavailable', 'Other requests keep changing this file; retry.', { retryAfterSeconds: 1 })
  },
  /** Returns failed files whose objects may be due for removal, until `keepBytes` or `recordBytesRemoved`. */
  withFailedBytes: read(function* (limit: number): ReadProtocol<FileRecord[]> {
    const at = yield* now()
    return yield* find(
      'files: with failed bytes',
      'files',
      { state: 'failed', nextAttemptAt: { lte: at } },
      ['nextAttemptAt'],
      limit,
    )
  }),
  /** Postpones deletion of a failed version's object. */
  *keepBytes({ id, version }: Pick<FileRecord, 'id' | 'version'>, forMs: number): Protocol<void> {
    const nextAttemptAt = (yield* now()) + forMs
    yield* updateIf('files: keep bytes', 'files', [id], { version, state: 'failed' }, { set: { nextAttemptAt } })
  },
  /** Does nothing for another version. `at`: wall time. */
  *recordBytesRemoved({ id, version }: Pick<FileRecord, 'id' | 'version'>, at: number): Protocol<void> {
    const change: ChangeOf<'files'> = { set: { bytes: 0, bytesRemovedAt: at, nextAttemptAt: never } }
    yield* updateIf('files: bytes removed', 'files', [id], { version, state: 'failed' }, change)
  },
  countPublished: read((namespaceId: string) => sumFiles('files: count live', namespaceId, publishedCount)),
  /** Files whose published version was extracted by a version below `extraction`. */
  countOutdated: read((namespaceId: string, extraction: number) =>
    sumFiles('files: count outdated', namespaceId, (file) => ((extractionOf(file) ?? extraction) < extraction ? 1 : 0)),
  ),
}
