import { fileStored } from '@cairn/contracts/events'
import { slices } from '@cairn/contracts/flow/slices'
import { type Chunk, isDeadFileVersion } from '@cairn/domain/files/record'
import { passagesOfItems } from '@cairn/domain/items/index-items'
import type { ChunkBatch, DocumentOutcome, PassageCounts } from '@cairn/domain/items/record'
import { writePoints } from '@cairn/domain/items/write-points'
import { classify } from '@cairn/domain/jobs/job-error'
import { type JobRun, namespaceIsBeingDeleted, type WorkResult } from '@cairn/domain/jobs/job-run'
import { spacesOf } from '@cairn/domain/namespaces/embedding-space'
import type { Store } from '@cairn/domain/store'
import { type AnnounceDeps, sendEvent } from '@cairn/runtime/bus/send-event'
import type { IndexDeps } from './deps.ts'
import { dropOfSpaces, embedForSpaces } from './embed-for-spaces.ts'
import type { KnownVectors } from './embed-items.ts'
import { SpaceFiller } from './fill-spaces.ts'
import type { KeptVectors } from './kept-vectors.ts'
import { waitingFor } from './waiting-for.ts'

/** As in the pipeline: each round costs several commits, whatever its size. */
const chunksAtOnce = 64

/** The version is the file's. */
const asIndexable = ({ namespaceId, itemId, version, body }: Chunk) => ({ namespaceId, id: itemId, version, body })

/** Writes the points and then the marks. Resolves to the ids of rejected chunks, which have no points. */
const indexSlice =
  (deps: IndexDeps, kept: KeptVectors, counts: KnownVectors['counts']) =>
  async (run: JobRun<ChunkBatch>, slice: readonly Chunk[]): Promise<readonly string[]> => {
    const { store } = deps
    const readAt = deps.clock.monotonic()
    const namespace = await run.step('read', () => store.namespaces.get(run.job.namespaceId))
    if (!namespace) return []
    const { version } = run.job.file
    const embed = embedForSpaces(deps, kept)
    const index = async (chunks: readonly Chunk[]) => {
      const embedded = await embed(run, { namespace, readAt }, chunks.map(asIndexable), counts)
      const { first, second } = embedded
      for (const entries of second ? [second, first] : [first])
        await writePoints(deps, run, entries, namespace.language)
      const marks = passagesOfItems(first, second).map(({ id: itemId, ...passages }) => ({ itemId, ...passages }))
      await run.step('mark', () => store.chunks.markIndexed(version, marks))
      dropOfSpaces(kept, deps.embedders, embedded)
      run.progress()
    }
    try {
      await index(slice)
      return []
    } catch (error) {
      if (classify(error).kind !== 'permanent') throw error
    }
    const refused: string[] = []
    for (const chunk of slice) {
      try {
        await index([chunk])
      } catch (error) {
        if (classify(error).kind !== 'permanent') throw error
        refused.push(chunk.itemId)
        await run.step('mark', () => store.chunks.markIndexed(version, [{ itemId: chunk.itemId, passages: 0 }]))
      }
    }
    return refused
  }

export type ChunkDeps = IndexDeps & Omit<AnnounceDeps, 'log'>

/** Completes the batch, so that the file, which waits for it, may continue. */
const complete = async (
  { store, clock, bus, ids }: ChunkDeps,
  run: JobRun<ChunkBatch>,
  end: Pick<Parameters<Store['uploads']['complete']>[1], 'state' | 'outcomes' | 'passages'>,
): Promise<WorkResult> => {
  const { namespaceId, correlationId, traceparent } = run.job
  const file = run.job.file
  await run.step('complete', () =>
    store.uploads.complete(run.lease, { ...end, times: { ...run.times }, at: clock.now() }),
  )
  await run.step('wake', () => store.files.wakeJob(file))
  await sendEvent({ bus, ids, clock, log: run.log }, fileStored, { namespaceId, fileId: file.id }, file.id, {
    correlationId,
    traceparent,
  })
  return undefined
}

/**
 * If the version has died in the meantime, removes everything that this job wrote. The file is read after the last
 * point was written, so that a later removal of leftovers includes these points.
 */
const settleChunks =
  (deps: ChunkDeps) =>
  async (run: JobRun<ChunkBatch>, refused: readonly string[], passages: PassageCounts): Promise<WorkResult> => {
    const { store, vectors } = deps
    const { namespaceId, ids } = run.job
    const { id, version } = run.job.file
    const [current] = await run.step('settle', () => store.files.latestStates([id]))
    const dead = isDeadFileVersion(current, version)
    const namespace = await run.step('read', () => store.namespaces.get(namespaceId))
    if (!dead && namespace?.reindex) {
      // A late worker may have marked chunks of the job after the reindex had passed them.
      const filler = new SpaceFiller(deps, run)
      for (const slice of slices(ids, chunksAtOnce))
        await filler.ofChunks(
          namespace,
          await run.step('read', () => store.chunks.get(slice.map((itemId) => ({ version, itemId })))),
        )
    }
    if (dead) {
      const targets = ids.map((itemId) => ({ namespaceId, itemId, version }))
      for (const space of namespace ? spacesOf(namespace) : [])
        await run.step('settle', () => vectors.removeVersions(space, targets))
      await run.step('settle', () => store.chunks.remove(ids.map((itemId) => ({ version, itemId }))))
    }
    const outcomes = ids.map((itemId): DocumentOutcome => {
      if (dead) return { id: itemId, outcome: 'deleted' }
      return refused.includes(itemId)
        ? { id: itemId, outcome: 'failed', reason: 'embedding_refused' }
        : { id: itemId, outcome: 'completed' }
    })
    return complete(deps, run, { state: 'completed', outcomes, passages })
  }

/** The pipeline publishes the chunks later. */
export const indexChunks =
  (deps: ChunkDeps, kept: KeptVectors) =>
  async (run: JobRun<ChunkBatch>): Promise<WorkResult> => {
    const { store, embedders } = deps
    const { namespaceId, ids } = run.job
    const { id, version } = run.job.file
    const namespace = await run.step('read', () => store.namespaces.get(namespaceId))
    if (namespace?.state !== 'active') return namespaceIsBeingDeleted
    const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
    if (embedder?.status().state !== 'ready')
      return { againMs: 5_000, because: waitingFor(embedder, namespace.embedding) }
    const refused: string[] = []
    const counts = { reused: 0, embedded: 0 }
    for (const slice of slices(ids, chunksAtOnce)) {
      const [file] = await run.step('read', () => store.files.latestStates([id]))
      if (isDeadFileVersion(file, version)) break
      const chunks = await run.step('read', () => store.chunks.get(slice.map((itemId) => ({ version, itemId }))))
      const left = chunks.filter(({ passages }) => passages === null)
      if (left.length > 0) refused.push(...(await indexSlice(deps, kept, counts)(run, left)))
    }
    return settleChunks(deps)(run, refused, counts)
  }

/** The pipeline, which waits for the job, fails the file with the reason. */
export const failChunks =
  (deps: ChunkDeps) =>
  (run: JobRun<ChunkBatch>, reason: 'crashed_worker' | 'internal'): Promise<WorkResult> =>
    complete(deps, run, { state: 'failed', outcomes: run.job.ids.map((id) => ({ id, outcome: 'failed', reason })) })
