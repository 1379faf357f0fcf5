import type { Deletion } from '@cairn/domain/items/record'
import type { JobRun, WorkResult } from '@cairn/domain/jobs/job-run'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import type { DeletionDeps } from './remove-items.ts'
import { abortUploads, removeObjects } from './remove-objects.ts'
import { spacesOfJob } from './spaces-of-job.ts'

/** Small enough that requests of other accounts run in between. */
const pointsAtOnce = 1_000
const recordsAtOnce = 500
/** Removal and count, before the job releases its slot. */
const rounds = 20

/** Counts the remaining records by store. */
const recount = async ({ store, vectors }: DeletionDeps, run: JobRun<Deletion>, spaces: readonly EmbeddingSpace[]) => {
  const { namespaceId } = run.job
  let points = 0
  for (const space of spaces) points += await run.step('recount', () => vectors.count(space, namespaceId))
  return {
    points,
    items: await run.step('recount', () => store.items.count(namespaceId)),
    chunks: await run.step('recount', () => store.chunks.countOfNamespace(namespaceId)),
    files: await run.step('recount', () => store.files.countOfNamespace(namespaceId)),
    grants: await run.step('recount', () => store.grants.countOfNamespace(namespaceId)),
    uploads: await run.step('recount', () => store.uploads.countOfNamespace(namespaceId)),
    deletions: await run.step('recount', () => store.deletions.countOfNamespace(namespaceId)),
    evaluations: await run.step('recount', () => store.evaluations.countOfNamespace(namespaceId)),
    events: await run.step('recount', () => store.events.countOfNamespace(namespaceId)),
  }
}

/** Removes in slices until every store counts 0. Undefined: records remain after `rounds` rounds. */
const removeAll = async (deps: DeletionDeps, run: JobRun<Deletion>): Promise<Record<string, number> | undefined> => {
  const { namespaceId } = run.job
  const { store, vectors } = deps
  const spaces = await run.step('read', () => spacesOfJob(deps, run.job))
  const removed: Record<string, number> = { ...run.job.removed }
  const drain = async (store: string, slice: () => Promise<number>) => {
    for (let removedNow = -1; removedNow !== 0; ) {
      removedNow = await run.step('remove', slice)
      removed[store] = (removed[store] ?? 0) + removedNow
      if (removedNow > 0) run.progress()
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const space of spaces) await drain('points', () => vectors.removeNamespace(space, namespaceId, pointsAtOnce))
    await drain('items', () => store.items.removeOfNamespace(namespaceId, recordsAtOnce))
    await drain('files', () => store.files.removeOfNamespace(namespaceId, recordsAtOnce))
    await drain('chunks', () => store.chunks.removeOfNamespace(namespaceId, recordsAtOnce))
    await abortUploads(deps, run)
    await drain('grants', () => store.grants.removeOfNamespace(namespaceId, recordsAtOnce))
    removed['objects'] = (removed['objects'] ?? 0) + (await removeObjects(deps, run))
    await drain('uploads', () => store.uploads.removeOfNamespace(namespaceId, recordsAtOnce))
    await drain('deletions', () => store.deletions.removeOfNamespace(namespaceId, recordsAtOnce))
    await drain('evaluations', () => store.evaluations.removeOfNamespace(namespaceId, recordsAtOnce))
    await drain('events', () => store.events.removeOfNamespace(namespaceId, recordsAtOnce))
    if (Object.values(await recount(deps, run, spaces)).every((count) => count === 0)) return removed
  }
  return undefined
}

/** The name is free when the last step is done. Every step may be repeated. */
export const removeNamespace =
  (deps: DeletionDeps) =>
  async (run: JobRun<Deletion>): Promise<WorkResult> => {
    const { store, clock } = deps
    const namespace = await run.step('read', () => store.namespaces.get(run.job.namespaceId))
    // Requests in progress may still write, and only their records contain their changes: wait until they finish or are
    // recovered.
    if (namespace && namespace.openCount > 0) {
      return { againMs: 500, because: 'requests in flight' }
    }
    const removed = await removeAll(deps, run)
    if (!removed) return { againMs: 1_000, because: 'records were added during the removal' }
    await run.step('release', () => store.deletions.releaseNamespace(run.lease, { removed, at: clock.now() }))
    return undefined
  }

/**
 * Removes leftovers of a writer whose lease was taken over. Runs a minute after the deletion, then 5 minutes, 30
 * minutes and a day after the previous run.
 */
export const recheckNamespace =
  (deps: DeletionDeps) =>
  async (run: JobRun<Deletion>): Promise<WorkResult> => {
    const removed = await removeAll(deps, run)
    if (!removed) return { againMs: 60_000, because: 'records were added during the removal' }
    await run.step('complete', () => deps.store.deletions.rechecked(run.lease, { removed, at: deps.clock.now() }))
    return undefined
  }
