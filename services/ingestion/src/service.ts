import { uploadAccepted } from '@cairn/contracts/events'
import type { ChunkBatch, IndexJob, Upload } from '@cairn/domain/items/record'
import type { JobRun, PartialResult } from '@cairn/domain/jobs/job-run'
import type { Store } from '@cairn/domain/store'
import { on } from '@cairn/runtime/bus/message-router'
import { every } from '@cairn/runtime/jobs/every'
import { createJobService, type JobServiceDeps } from '@cairn/runtime/jobs/job-service'
import { inOneRange, runTask } from '@cairn/runtime/jobs/run-task'
import { createService } from '@cairn/runtime/process/lifecycle'
import { auditIndexRange } from './audit-index.ts'
import type { IndexDeps } from './deps.ts'
import { failChunks, indexChunks } from './index-chunks.ts'
import { failUpload, indexUpload } from './index-upload.ts'
import { keptVectors } from './kept-vectors.ts'
import { createModelProbes } from './probe-models.ts'
import { createReindexTask } from './reindex-task.ts'
import { renewPointsRange } from './renew-points.ts'

export type IngestionDeps = IndexDeps &
  JobServiceDeps<IndexJob> & {
    readonly store: Store
    /** Default: no audit. */
    readonly auditEveryMs?: number
    /** Default: reindexes do not advance. */
    readonly reindexEveryMs?: number
    /** See `settleMs` of the reindex task. */
    readonly reindexSettleMs?: number
    /** After the start: processes of earlier versions must have ended by then. Default: points are not renewed. */
    readonly renewAfterMs?: number
    /** Default: models are not probed. */
    readonly probeEveryMs?: number
  }

/** Longest pause between a process's checks for a due audit or renewal. */
const auditAsksEveryMs = 60_000
/** A namespace that was left out waits for the next pass. */
const renewEveryMs = 3_600_000

const byKind =
  <A extends readonly unknown[]>(
    ofUpload: (run: JobRun<Upload>, ...args: A) => Promise<PartialResult>,
    ofChunks: (run: JobRun<ChunkBatch>, ...args: A) => Promise<PartialResult>,
  ) =>
  (run: JobRun<IndexJob>, ...args: A): Promise<PartialResult> =>
    run.job.kind === 'chunks' ? ofChunks(run as JobRun<ChunkBatch>, ...args) : ofUpload(run as JobRun<Upload>, ...args)

export const createIngestionService = (deps: IngestionDeps) => {
  const { store, clock, ids, auditEveryMs, reindexEveryMs, reindexSettleMs, renewAfterMs, probeEveryMs } = deps
  const log = deps.log.child({ service: 'ingestion' })
  const kept = keptVectors()
  const jobService = createJobService<IndexJob>(deps, {
    name: 'ingestion',
    jobStore: store.uploads,
    handlers: (jobs) => [on(uploadAccepted, () => void jobs.wake())],
    work: byKind(indexUpload(deps, kept), indexChunks(deps, kept)),
    fail: byKind(failUpload(deps), failChunks(deps)),
    needsTakingOver: (job) => job.state === 'accepting',
    takeOver: async (job, token) => {
      const takenOver = await store.uploads.takeOver(job.id, clock.now())
      return takenOver?.state === 'queued' ? store.uploads.lease(job.id, token) : undefined
    },
  })
  const stopped = new AbortController()
  const byClock = { clock, log, signal: stopped.signal }
  const tasks = { tasks: store.tasks, clock, ids }
  const audits = async (): Promise<void> => {
    if (auditEveryMs === undefined) return
    const task = { ...tasks, name: 'index-audit', everyMs: auditEveryMs, range: auditIndexRange({ ...deps, log }) }
    const asksEveryMs = Math.min(auditAsksEveryMs, auditEveryMs)
    await every(asksEveryMs, 'index audit', (signal) => runTask(task, signal), byClock)
  }
  const reindexes = async (): Promise<void> => {
    if (reindexEveryMs === undefined) return
    const { hasWork, range } = createReindexTask({ ...deps, log, settleMs: reindexSettleMs })
    const task = { ...tasks, name: 'reindex', everyMs: reindexEveryMs, range }
    const advance = async (signal: AbortSignal) => (await hasWork()) && runTask(task, signal)
    await every(reindexEveryMs, 'reindex', advance, byClock)
  }
  const renewals = async (): Promise<void> => {
    if (renewAfterMs === undefined) return
    const task = { ...tasks, name: 'renew-points', everyMs: renewEveryMs, range: renewPointsRange({ ...deps, log }) }
    await clock.delay(renewAfterMs, stopped.signal)
    await every(auditAsksEveryMs, 'points renewal', (signal) => runTask(task, signal), byClock)
  }
  const probes = async (): Promise<void> => {
    if (probeEveryMs === undefined) return
    const { hasWork, work } = createModelProbes({ ...deps, log })
    const task = { ...tasks, name: 'model-probes', everyMs: 0, range: inOneRange(work) }
    const probe = async (signal: AbortSignal) => (await hasWork()) && runTask(task, signal)
    await every(probeEveryMs, 'model probes', probe, byClock)
  }
  const service = createService(async (onStop) => {
    onStop(jobService.stop)
    await jobService.start()
    const running = Promise.all([audits(), reindexes(), renewals(), probes()])
    // Both stop concurrently, because the time to stop is limited.
    onStop(() => {
      stopped.abort()
      return Promise.all([running, jobService.stop()])
    })
  })
  return { ...service, jobs: jobService.jobs }
}
