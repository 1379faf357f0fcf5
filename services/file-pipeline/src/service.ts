import { fileStored, objectEventsTopic } from '@cairn/contracts/events'
import type { Embedder } from '@cairn/ports/embedder/port'
import type { FileRecord } from '@cairn/ports/metadata/records'
import { every } from '@cairn/runtime/every'
import { createJobs, type Jobs, type JobsOptions } from '@cairn/runtime/jobs'
import { createService, type Service } from '@cairn/runtime/lifecycle'
import { createMessageRouter } from '@cairn/runtime/message-router'
import { publish } from '@cairn/runtime/publish'
import { subscribeWhenThere } from '@cairn/runtime/subscribe-when-there'
import type { Extract, PipelineDeps } from './deps.ts'
import { extractIn } from './extract-in.ts'
import { type LookDeps, lookForObjects } from './look-for-objects.ts'
import { onFileStored } from './on-file-stored.ts'
import { onObjectEvent } from './on-object-event.ts'
import { giveUpFile, readFile } from './read-file.ts'
import { removeStrays } from './remove-strays.ts'
import { openScratchFolder, scratchFolderIn } from './scratch-folder.ts'
import { summariseBy } from './summarise-by.ts'

export type FilePipelineDeps = Omit<PipelineDeps, 'extract' | 'summarise' | 'scratch'> & {
  /** Resident memory, in MiB, of the process that reads one file. */
  readonly memoryMegabytes: number
  /** Folder in which this process has one of its own: files lie there while they are read. */
  readonly scratchDir: string
  /** Compares sentences for summaries; one that costs next to nothing, since a model would have to read all of the file once more. */
  readonly words: Pick<Embedder, 'embed'>
  /** In the place of a process of its own, for tests. */
  readonly extract?: Extract
  /** 0 to 1. */
  readonly random: () => number
  /** Files read at once. */
  readonly concurrency: number
  /** Whether the object store tells of new objects on the bus. */
  readonly hears: boolean
  readonly observe?: JobsOptions<FileRecord>['observe']
}

const lookEveryMs = 5_000
const straysEveryMs = 3_600_000

/** Finds files that have arrived, reads them, and shows what is in them. `look` and `strays` are there for tests. */
export const createFilePipelineService = (
  options: FilePipelineDeps,
): Service & { readonly jobs: Jobs; look(): Promise<void>; strays(): Promise<number> } => {
  const { bus, metadata, clock, ids, random, concurrency, observe, hears, memoryMegabytes, scratchDir, words } = options
  const deps: PipelineDeps = {
    ...options,
    extract: options.extract ?? extractIn(memoryMegabytes),
    summarise: summariseBy(words),
    scratch: scratchFolderIn(scratchDir),
  }
  const log = options.log.child({ service: 'file-pipeline' })
  const jobs = createJobs<FileRecord>({
    store: metadata.files,
    concurrency,
    work: readFile(deps),
    giveUp: giveUpFile(deps),
    needsAdoption: () => false,
    adopt: async () => undefined,
    clock,
    ids,
    random,
    log,
    ...(observe ? { observe } : {}),
  })
  const router = createMessageRouter({
    bus,
    log,
    group: 'file-pipeline',
    handlers: [onFileStored({ jobs })],
    deadLetters: metadata.deadLetters,
    ids,
    clock,
    whenReady: jobs.whenReady,
  })
  const stopped = new AbortController()
  // Only a hint: the record is there, and the sweep finds it.
  const announce: LookDeps['announce'] = (stored, cause) =>
    publish(bus, fileStored, stored, { key: stored.fileId, ...cause, ids, clock }).catch((error: unknown) =>
      log.warn({ err: error, file: stored.fileId }, 'not announced'),
    )
  const look = lookForObjects({ ...deps, log, announce })
  const strays = removeStrays({ ...deps, log })
  const service = createService(async (onStop) => {
    await openScratchFolder(scratchDir)
    const byClock = { clock, log, signal: stopped.signal }
    const running = Promise.all([every(lookEveryMs, 'look', look, byClock), every(straysEveryMs, 'strays', strays, byClock)])
    onStop(async () => {
      stopped.abort()
      await running
    })
    jobs.begin()
    onStop(jobs.stop)
    if (hears) {
      const from = { topic: objectEventsTopic, group: 'file-pipeline' }
      const subscription = await subscribeWhenThere({ bus, clock, log }, from, onObjectEvent({ ...deps, log, announce }))
      onStop(subscription.close)
    }
    await router.start()
    // Together: a handler may be waiting for a place in the pool, and only the pool can tell it that there will be none.
    onStop(() => Promise.all([router.stop(), jobs.stop()]))
  })
  return { ...service, jobs, look: () => look(stopped.signal), strays: () => strays(stopped.signal) }
}
