import type { Clock } from '@cairn/ports/clock/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import { type Deletion, isDead } from '@cairn/ports/metadata/records'
import type { VectorIndex } from '@cairn/ports/vector-index/port'
import type { JobRun, WorkResult } from '@cairn/runtime/jobs'

export type DeletionDeps = { readonly metadata: Metadata; readonly vectors: VectorIndex; readonly clock: Clock }

const headsAtOnce = 100

/**
 * A deletion by id: its items are gone, now the points of the listed versions go, each only if a read just made says that
 * the version is dead. An id uploaded again meanwhile has another version, and keeps its points.
 */
export const removeItems =
  ({ metadata, vectors, clock }: DeletionDeps) =>
  async (run: JobRun<Deletion>): Promise<WorkResult> => {
    const { namespaceId, list, space } = run.job
    let points = 0
    for (let from = 0; from < list.length; from += headsAtOnce) {
      const slice = list.slice(from, from + headsAtOnce)
      const heads = new Map(
        (
          await run.step('read', () =>
            metadata.items.heads(
              namespaceId,
              slice.map(({ id }) => id),
            ),
          )
        ).map((head) => [head.id, head]),
      )
      for (const { id: itemId, version, indexedVersion, stale } of slice) {
        const versions = new Set([version, ...(indexedVersion === null ? [] : [indexedVersion]), ...stale])
        for (const candidate of versions) {
          if (!isDead(heads.get(itemId), candidate)) continue
          points += await run.step('remove', () => vectors.removeVersion(space, { namespaceId, itemId, version: candidate }))
        }
      }
      run.progress()
    }
    await run.step('complete', () => metadata.deletions.complete(run.lease, { removed: { points, items: list.length }, at: clock.now() }))
    return undefined
  }
