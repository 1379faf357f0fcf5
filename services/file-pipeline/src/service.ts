import { fileStored, objectEventsTopic } from '@cairn/contracts/events'
import type { FileRecord } from '@cairn/domain/files/record'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { on } from '@cairn/runtime/bus/message-router'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { every } from '@cairn/runtime/jobs/every'
import { createJobService, type JobServiceDeps } from '@cairn/runtime/jobs/job-service'
import type { Jobs } from '@cairn/runtime/jobs/jobs'
import { inOneRange, runTask, type TaskOptions } from '@cairn/runtime/jobs/run-task'
import { createService, type Service } from '@cairn/runtime/process/lifecycle'
import { extractiveSummariser } from './chunk/summarise.ts'
import type { ReadingLimits } from './config.ts'
import type { Extract, PipelineDeps } from './deps.ts'
import { extractIn } from './extract-in.ts'
import { onObjectEvent } from './on-object-event.ts'
import { failFile, processFile } from './process-file.ts'
import { type ReconcileDeps, reconcileUploads } from './reconcile-uploads.ts'
import { createReextractTask } from './reextract-files.ts'
import { removeFailedBytes } from './remove-failed-bytes.ts'
import { openScratchFolder, scratchFolderIn } from './scratch-folder.ts'
import { type SweepDeps, type SweepResult, sweepOrphans } from './sweep-orphans.ts'

export type FilePipelineDeps = Omit<PipelineDeps, 'extract' | 'summarise' | 'scratch'> &
  JobServiceDeps<FileRecord> & {
    readonly limits: ReadingLimits
    /** Parent of this process's own folder. */
    readonly scratchDir: string
    /** Compares sentences for summaries at almost no cost; a model would have to process the whole file again. */
    readonly lexicalEmbedder: Pick<Embedder, 'embed'>
    /** Replaces extraction in a separate process, for tests. */
    readonly extract?: Extract
    readonly orphanMs: number
    readonly failedFileMs: number
    /** Called with the result of each orphan sweep, and with zeros while another process sweeps. */
    readonly observeOrphans?: SweepDeps['observe']
    /** Whether the object store sends events of new objects to the bus. */
    readonly objectEventsEnabled: boolean
  }

const reconcileEveryMs = 5_000
const orphansEveryMs = 3_600_000
/** How often a process checks whether the sweep is due; costs one read. */
const orphansPollMs = 60_000
const failedFilesEveryMs = 60_000
const reextractEveryMs = 1_000

/** Work that one process at a time does, at intervals. */
const periodicWork = (
  deps: PipelineDeps,
  options: Pick<FilePipelineDeps, 'orphanMs' | 'failedFileMs' | 'observeOrphans'>,
  announceFile: ReconcileDeps['send'],
) => {
  const { store, clock, ids, log } = deps
  const { orphanMs, failedFileMs, observeOrphans: observe } = options
  const leased = (name: string, everyMs: number, range: TaskOptions['range']) => (signal: AbortSignal) =>
    runTask({ tasks: store.tasks, clock, ids, name, everyMs, range }, signal)
  const reconcile = reconcileUploads({ ...deps, send: announceFile })
  const sweep = sweepOrphans({ ...deps, orphanMs, ...(observe ? { observe } : {}) })
  const tidy = leased('failed-files', failedFilesEveryMs, inOneRange(removeFailedBytes({ ...deps, failedFileMs })))
  const sweepOnce = leased('orphans', orphansEveryMs, inOneRange(sweep))
  const reconcileOnce = leased('reconcile-uploads', reconcileEveryMs, inOneRange(reconcile))
  const reextraction = createReextractTask({ ...deps, send: announceFile })
  const reextractOnce = leased('reextract', reextractEveryMs, reextraction.range)
  let sweptAt = Number.NEGATIVE_INFINITY
  const sweepInTurn = async (signal: AbortSignal) => {
    if (await sweepOnce(signal)) sweptAt = clock.monotonic()
    // Another process did the last sweep and reports its result.
    else if (clock.monotonic() - sweptAt > 2 * orphansEveryMs) observe?.({ objects: 0, bytes: 0 })
  }
  /** Without due grants, the lease is not taken. */
  const reconcileInTurn = async (signal: AbortSignal) => {
    if ((await store.grants.due(1)).length > 0) await reconcileOnce(signal)
  }
  const reextractInTurn = async (signal: AbortSignal) => (await reextraction.hasWork()) && reextractOnce(signal)
  return {
    reconcile,
    sweep,
    tidy,
    /** Resolves once the signal is aborted and all work has ended. */
    run: (signal: AbortSignal) => {
      const byClock = { clock, log, signal }
      return Promise.all([
        every(reconcileEveryMs, 'reconcile uploads', reconcileInTurn, byClock),
        every(orphansPollMs, 'orphans', sweepInTurn, byClock),
        every(failedFilesEveryMs, 'failed files', tidy, byClock),
        every(reextractEveryMs, 'reextract', reextractInTurn, byClock),
      ])
    },
  }
}

/** `reconcile`, `sweep` and `tidy` are exposed for tests. */
export const createFilePipelineService = (
  options: FilePipelineDeps,
): Service & {
  readonly jobs: Jobs
  reconcile(): Promise<void>
  sweep(): Promise<SweepResult>
  tidy(): Promise<void>
} => {
  const { bus, clock, ids, objectEventsEnabled, limits, scratchDir, lexicalEmbedder } = options
  const log = options.log.child({ service: 'file-pipeline' })
  const deps: PipelineDeps = {
    ...options,
    extract: options.extract ?? extractIn(limits),
    summarise: extractiveSummariser(lexicalEmbedder),
    scratch: scratchFolderIn(scratchDir),
  }
  const reading = createJobService<FileRecord>(options, {
    name: 'file-pipeline',
    jobStore: options.store.files,
    handlers: (jobs) => [on(fileStored, () => void jobs.wake())],
    work: processFile(deps),
    fail: failFile(deps),
    needsTakingOver: () => false,
    takeOver: async () => undefined,
  })
  const announceFile: ReconcileDeps['send'] = (stored, cause) =>
    sendEvent({ bus, ids, clock, log }, fileStored, stored, stored.fileId, cause)
  const work = periodicWork({ ...deps, log }, options, announceFile)
  const stopped = new AbortController()
  const service = createService(async (onStop) => {
    await openScratchFolder(scratchDir)
    const running = work.run(stopped.signal)
    onStop(async () => {
      stopped.abort()
      await running
    })
    let objectEvents: { close(): Promise<void> } | undefined
    if (objectEventsEnabled) {
      const from = { topic: objectEventsTopic, group: 'file-pipeline' }
      objectEvents = bus.subscribe(from, onObjectEvent({ ...deps, log, send: announceFile }))
      onStop(objectEvents.close)
    }
    await reading.start()
    // In parallel: each may wait for an unavailable engine, and the time to stop is limited.
    onStop(() => {
      stopped.abort()
      return Promise.all([reading.stop(), objectEvents?.close(), running])
    })
  })
  return {
    ...service,
    jobs: reading.jobs,
    reconcile: () => work.reconcile(stopped.signal),
    sweep: () => work.sweep(stopped.signal),
    tidy: async () => void (await work.tidy(stopped.signal)),
  }
}
