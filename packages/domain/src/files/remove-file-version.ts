import type { JobRun } from '../jobs/job-run.ts'
import type { EmbeddingSpace, VectorIndex } from '../ports/vector-index.ts'
import type { Store } from '../store.ts'
import { isDeadFileVersion } from './record.ts'

const chunksAtOnce = 200

type Target = {
  readonly namespaceId: string
  readonly spaces: readonly EmbeddingSpace[]
  readonly fileId: string
  readonly version: string
}

/**
 * Removes a dead version: for each chunk first the points, then the record that lists them. May be repeated after an
 * interruption anywhere.
 */
export const removeFileVersion = async (
  { store, vectors }: { readonly store: Store; readonly vectors: VectorIndex },
  run: Pick<JobRun<never>, 'step' | 'progress'>,
  { namespaceId, spaces, fileId, version }: Target,
): Promise<{ readonly points: number; readonly chunks: number }> => {
  const total = { points: 0, chunks: 0 }
  const [current] = await run.step('clean', () => store.files.latestStates([fileId]))
  if (!isDeadFileVersion(current, version)) return total
  for (;;) {
    const chunks = await run.step('clean', () => store.chunks.ofVersion(version, { limit: chunksAtOnce }))
    if (chunks.length === 0) return total
    const targets = chunks.map(({ itemId }) => ({ namespaceId, itemId, version }))
    for (const space of spaces) total.points += await run.step('clean', () => vectors.removeVersions(space, targets))
    await run.step('clean', () => store.chunks.remove(chunks))
    total.chunks += chunks.length
    run.progress()
  }
}
