import { type FileType, fileTypeOf } from '@cairn/contracts/files/file-rules'
import { limits } from '@cairn/contracts/limits'
import { permanentError } from '@cairn/contracts/permanent-error'
import { isTier, tierOf } from '@cairn/domain/accounts/tiers'
import { extractionVersion } from '@cairn/domain/files/extraction-version'
import { type FileRecord, fileVersionPrefix } from '@cairn/domain/files/record'
import { storageLimit } from '@cairn/domain/files/register-object'
import { removeFileVersion } from '@cairn/domain/files/remove-file-version'
import type { PassageCounts } from '@cairn/domain/items/record'
import { classify, leaseLost } from '@cairn/domain/jobs/job-error'
import { type JobRun, namespaceIsBeingDeleted, type WorkResult } from '@cairn/domain/jobs/job-run'
import { spacesOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { StoredFile } from '@cairn/domain/ports/file-store'
import { sniff } from '@cairn/extract/sniff'
import { type Counts, checkpointOf } from './checkpoint.ts'
import { ChunkSubmission } from './chunk-submission.ts'
import { copyChunks, copySourceOf } from './copy-chunks.ts'
import type { PipelineDeps } from './deps.ts'
import { ChunkReading } from './read-chunks.ts'
import { spool, spoolWithinMs } from './spool.ts'

const typeOf = (name: string): FileType => {
  const type = fileTypeOf(name)
  if (type === undefined) throw permanentError('content_mismatch', 'The file name has no supported extension.')
  return type
}

/** Times of a stage that is entered again, after a pause or by another worker, add up. */
type Stages = {
  /** Rejects with `leaseLost` when another worker has taken over the file. */
  enter(name: FileRecord['stage'], facts?: Pick<FileRecord, 'passages'>): Promise<void>
  /** Milliseconds in each stage, the current one included. */
  times(): Record<string, number>
}

const openStages = ({ store, clock }: PipelineDeps, run: JobRun<FileRecord>): Stages => {
  const { stage, updatedAt } = run.job
  const spent = new Map(Object.entries(run.job.times))
  let current: { readonly name: string; since: number } | undefined
  // No worker holds the file while its chunks are being indexed, so the time since the record was written counts as
  // indexing.
  if (stage === 'indexing') current = { name: stage, since: clock.monotonic() - Math.max(0, clock.now() - updatedAt) }
  const times = () => {
    if (current) {
      const at = clock.monotonic()
      spent.set(current.name, (spent.get(current.name) ?? 0) + at - current.since)
      current.since = at
    }
    return Object.fromEntries(spent)
  }
  return {
    times,
    enter: (name, facts) =>
      run.step('note', async () => {
        if (current?.name === name) return
        const set = { stage: name, times: times(), ...facts }
        current = { name, since: clock.monotonic() }
        if (!(await store.files.recordProgress(run.lease, { version: run.job.version, set, at: clock.now() })))
          throw leaseLost()
      }),
  }
}

/** Registers an object with other content as a new version. Always throws `leaseLost`. */
const registerNewVersion = async (
  deps: PipelineDeps,
  run: JobRun<FileRecord>,
  { etag, sizeBytes, modifiedAt }: StoredFile,
): Promise<never> => {
  const { store, ids, clock } = deps
  const { id: fileId, accountId, namespaceId, name, idBase, key, correlationId, traceparent } = run.job
  const version = ids.next(fileVersionPrefix)
  const object = { etag, sizeBytes, modifiedAt }
  const cause = { correlationId, traceparent }
  const limit = await run.step('read', () => storageLimit(deps, accountId))
  await run.step('read', () =>
    store.files.register({
      fileId,
      version,
      accountId,
      namespaceId,
      name,
      idBase,
      key,
      object,
      limit,
      ...cause,
      at: clock.now(),
    }),
  )
  throw leaseLost()
}

/** Doubles the wait: as long as the file has been in `indexing`. Ingestion makes it due sooner, unless this job still runs by then. */
const pauseOf = (stages: Stages): number => Math.min(5_000, Math.max(250, stages.times()['indexing'] ?? 0))

type Indexed = Counts & { readonly passages: PassageCounts; readonly extraction: number }

/** Resolves to the counts once everything is indexed; undefined before that. */
const read = async (
  deps: PipelineDeps,
  run: JobRun<FileRecord>,
  stages: Stages,
  embedder: Embedder,
): Promise<Indexed | undefined> => {
  const { files, store, clock } = deps
  const { key, name, object } = run.job
  const saved = checkpointOf(run.job.checkpoint)
  const submission = new ChunkSubmission(deps, run, saved)
  const source = copySourceOf(run.job)
  const finish = async (end: Counts) => {
    await stages.enter('indexing')
    const pendingChunks = await submission.pendingChunks()
    // Set only in a run after one that has read the whole file.
    if (saved?.end) {
      const progress = { ...run.job.progress, indexed: end.chunks + end.summaries - pendingChunks }
      await run.step('note', () =>
        store.files.recordProgress(run.lease, {
          version: run.job.version,
          set: { progress, times: stages.times() },
          at: clock.now(),
        }),
      )
    }
    if (pendingChunks > 0) return undefined
    const { refused, passages } = submission.state
    if (refused >= end.chunks) throw permanentError('embedding_refused', 'The embedding model rejected every chunk.')
    if (refused > 0) {
      // Notes of the extraction are in the stored record, not in the leased job.
      const { notes = [] } = (await run.step('read', () => store.files.get(run.job.id))) ?? {}
      const note = {
        code: 'chunks_refused',
        message: `The embedding model rejected ${refused} of the file's chunks; search does not find them.`,
      }
      const set = { notes: [...notes, note] }
      await run.step('note', () =>
        store.files.recordProgress(run.lease, { version: run.job.version, set, at: clock.now() }),
      )
    }
    const extraction = source ? source.extraction : (saved?.extraction ?? extractionVersion)
    return { ...end, passages, extraction }
  }
  if (saved?.end) return finish(saved.end)
  if (source) {
    await stages.enter('indexing')
    return finish(await copyChunks(deps, run, source, { submission, saved }))
  }
  const type = typeOf(name)
  if (object.sizeBytes > limits.fileBytes) {
    const found = await run.step('fetch', () => files.head(key))
    if (found && found.etag !== object.etag) await registerNewVersion(deps, run, found)
    await run.step('fetch', () => files.remove([key]))
    throw permanentError('object_too_large', 'The file is larger than 5 GB and was removed.')
  }
  await stages.enter('fetching')
  const spooled = await run.step(
    'fetch',
    (signal) => spool(files, key, deps.scratch, AbortSignal.any([signal, run.signal])),
    {
      deadlineMs: spoolWithinMs,
    },
  )
  if (!spooled) throw permanentError('object_missing', 'The file is no longer in the object store.')
  try {
    if (spooled.file.etag !== object.etag) await registerNewVersion(deps, run, spooled.file)
    await stages.enter('reading')
    const { path } = spooled
    await run.trace.phase('sniff', () => sniff(path, type))
    const reading = new ChunkReading(deps, run, { path, type, embedder, submission, saved })
    const counts = await run.trace.phase('extract', () => reading.read())
    if (!counts) return undefined
    if (counts.chunks === 0) throw permanentError('no_text', 'No text was found in the file.')
    return await finish(counts)
  } finally {
    await spooled.remove()
  }
}

const publish = async (
  deps: PipelineDeps,
  run: JobRun<FileRecord>,
  stages: Stages,
  { passages, ...counts }: Indexed,
): Promise<WorkResult> => {
  const { store, tiers } = deps
  const { accountId, version } = run.job
  await stages.enter('publishing', { passages })
  const account = await run.step('read', () => store.accounts.get(accountId))
  // The operator removed the tier from the tiers file, so the file must not fail.
  if (account && !isTier(tiers, account.tier))
    return { againMs: 60_000, because: `the tier ${account.tier} is not defined` }
  const limit = account ? tierOf(tiers, account.tier).documents : null
  const result = await run.step('publish', () => store.files.publish(run.lease, { version, limit, ...counts }))
  if (result === 'published') return undefined
  if (result === 'busy') return { againMs: 500, because: 'requests under way might take ids of its chunks' }
  if (result === 'namespaceGone') return namespaceIsBeingDeleted
  if (result === 'lost') throw leaseLost()
  if (result === 'idConflict')
    throw permanentError('id_conflict', 'A document of the namespace has the id that a chunk of this file needs.')
  throw permanentError(
    'quota_exceeded',
    `The plan's limit of ${limit} documents is reached; ${result.overLimit} are in use.`,
  )
}

/** Removes stale versions and ends the job. A worker that takes over a file with a decided outcome begins here. */
const clean = async (
  deps: PipelineDeps,
  run: JobRun<FileRecord>,
  stages: Stages,
  namespace: Namespace,
): Promise<WorkResult> => {
  const { store, clock } = deps
  const { id, namespaceId } = run.job
  const file = await run.step('read', () => store.files.get(id))
  for (const version of file?.stale ?? []) {
    await removeFileVersion(deps, run, { namespaceId, spaces: spacesOf(namespace), fileId: id, version })
    await run.step('clean', () => store.files.dropStale(id, [version]))
  }
  await run.step('complete', () => store.files.complete(run.lease, { times: stages.times(), at: clock.now() }))
  return undefined
}

const fail = async (deps: PipelineDeps, run: JobRun<FileRecord>, reason: string, message: string): Promise<boolean> => {
  run.trace.set({ 'cairn.reason': reason })
  return run.step('fail', () =>
    deps.store.files.fail(run.lease, { version: run.job.version, reason, message, at: deps.clock.now() }),
  )
}

/** Ends with published chunks or a reason of failure. Every step may be repeated, by this worker or another. */
export const processFile =
  (deps: PipelineDeps) =>
  async (run: JobRun<FileRecord>): Promise<WorkResult> => {
    const { store, embedders } = deps
    const namespace = await run.step('read', () => store.namespaces.get(run.job.namespaceId))
    if (namespace?.state !== 'active') return namespaceIsBeingDeleted
    const stages = openStages(deps, run)
    if (run.job.outcome !== null) return clean(deps, run, stages, namespace)
    const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
    if (embedder?.status().state !== 'ready')
      return { againMs: 5_000, because: 'the model of the namespace is not ready' }
    try {
      const counts = await read(deps, run, stages, embedder)
      if (!counts) return { againMs: pauseOf(stages), because: 'its chunks are being indexed', waits: true }
      const later = await publish(deps, run, stages, counts)
      if (later) return later
    } catch (error) {
      const failure = classify(error)
      if (failure.kind !== 'permanent') throw error
      run.log.info({ err: error, code: failure.code }, 'file failed')
      if (!(await fail(deps, run, failure.code, failure.message))) throw leaseLost()
    }
    return clean(deps, run, stages, namespace)
  }

/** Ends a file whose processing keeps failing because of bugs or crashes. */
export const failFile =
  (deps: PipelineDeps) =>
  async (run: JobRun<FileRecord>, reason: 'crashed_worker' | 'internal'): Promise<WorkResult> => {
    const namespace = await run.step('read', () => deps.store.namespaces.get(run.job.namespaceId))
    if (!namespace) return namespaceIsBeingDeleted
    if (run.job.outcome === null)
      await fail(deps, run, reason, 'Internal error while processing the file; see the server log.')
    return clean(deps, run, openStages(deps, run), namespace)
  }
