import { slices } from '@cairn/contracts/flow/slices'
import { type Deletion, isDead } from '@cairn/domain/items/record'
import type { JobRun, WorkResult } from '@cairn/domain/jobs/job-run'
import type { Clock } from '@cairn/domain/ports/clock'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { spacesOfJob } from './spaces-of-job.ts'

export type DeletionDeps = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly files: FileStore
  readonly clock: Clock
}

const statesAtOnce = 100
/** Delay while uploads of the removed items are in progress: most end at once, a dead one within a minute. */
const markedAgainMs = 1_000

/**
 * Removes the records of marked items and the points of the listed versions, each only after a read found the version
 * dead. An id uploaded again meanwhile has another version and keeps its points.
 */
export const removeItems =
  (deps: DeletionDeps) =>
  async (run: JobRun<Deletion>): Promise<WorkResult> => {
    const { store, vectors, clock } = deps
    const { namespaceId, list } = run.job
    const marked = await run.step('remove', () => store.deletions.removeMarked(run.job.id))
    let points = 0
    for (const slice of slices(list, statesAtOnce)) {
      const slicedIds = slice.map(({ id }) => id)
      const [read, spaces] = await run.step('read', () =>
        Promise.all([store.items.latestStates(namespaceId, slicedIds), spacesOfJob(deps, run.job)]),
      )
      const states = new Map(read.map((current) => [current.id, current]))
      const dead = slice.flatMap(({ id: itemId, version, indexedVersion, stale }) =>
        [...new Set([version, ...(indexedVersion === null ? [] : [indexedVersion]), ...stale])]
          .filter((candidate) => isDead(states.get(itemId), candidate))
          .map((candidate) => ({ namespaceId, itemId, version: candidate })),
      )
      for (const space of spaces) points += await run.step('remove', () => vectors.removeVersions(space, dead))
      run.progress()
    }
    if (marked > 0) return { againMs: markedAgainMs, because: 'uploads that inserted what is removed are under way' }
    await run.step('complete', () =>
      store.deletions.complete(run.lease, { removed: { points, items: list.length }, at: clock.now() }),
    )
    return undefined
  }
