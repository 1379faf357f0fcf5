import { atOnce } from '@cairn/contracts/flow/at-once'
import { slices } from '@cairn/contracts/flow/slices'
import type { Language } from '@cairn/contracts/text/languages'
import type { JobRun, WorkResult } from '../jobs/job-run.ts'
import type { TextWorker } from '../ports/text-worker.ts'
import type { EmbeddingSpace, VectorIndex } from '../ports/vector-index.ts'
import type { Store } from '../store.ts'
import {
  type DocumentOutcome,
  type ItemState,
  isDead,
  type PassageCounts,
  type Passages,
  type Upload,
} from './record.ts'
import { type SpaceEntries, writePoints } from './write-points.ts'

type Deps = {
  readonly store: {
    readonly items: Pick<Store['items'], 'markIndexed' | 'latestStates' | 'dropStale'>
    readonly uploads: Pick<Store['uploads'], 'complete'>
  }
  readonly vectors: Pick<VectorIndex, 'upsert' | 'removeVersions'>
  readonly clock: { now(): number }
  readonly textWorker: TextWorker
}

const statesAtOnce = 100
const itemsAtOnce = 16

/** Returns passage counts in the form that `markIndexed` records. `second` may lack items. */
export const passagesOfItems = (
  { entries }: SpaceEntries,
  second: SpaceEntries | undefined,
): (Passages & { readonly id: string })[] => {
  const others = new Map(second?.entries.map(({ item, passages }) => [item.id, passages.length]))
  return entries.map(({ item: { id }, passages: { length: passages } }) => {
    const other = others.get(id)
    return {
      id,
      passages,
      ...(second && other !== undefined && { second: { space: second.space.key, passages: other } }),
    }
  })
}

/** Writes the points, then the marks that make them count; repeatable. `second`: the second space of a reindex. */
export const indexItems =
  ({ store, vectors, textWorker }: Deps) =>
  async (run: JobRun<Upload>, first: SpaceEntries, language?: Language, second?: SpaceEntries): Promise<void> => {
    if (first.entries.length === 0) return
    const { namespaceId, id: version, leaseSeq } = run.job
    for (const { space, entries } of second ? [second, first] : [first]) {
      await writePoints({ vectors, textWorker }, run, { space, entries }, language)
      if (leaseSeq <= 1) continue
      // An earlier run may have cut more passages, with another model or limit, under the same version.
      const rest = entries.map(({ item, passages }) => ({
        namespaceId,
        itemId: item.id,
        version,
        fromPassage: passages.length,
      }))
      await run.step('index', () => vectors.removeVersions(space, rest))
    }
    await run.step('mark', () => store.items.markIndexed(namespaceId, version, passagesOfItems(first, second)))
    run.progress()
  }

const outcomeOf = (id: string, current: ItemState | undefined, version: string): DocumentOutcome => {
  if (!current) return { id, outcome: 'deleted' }
  if (current.version !== version) return { id, outcome: 'superseded' }
  if (current.status === 'processing') return { id, outcome: 'pending' }
  return { id, outcome: current.status, ...(current.reason === null ? {} : { reason: current.reason }) }
}

/**
 * Ends an upload, or retries the job while an item is still `processing`. First removes the points of dead versions,
 * its own and those in `stale`: only after a read found them dead.
 */
export const settleUpload =
  ({ store, vectors, clock }: Omit<Deps, 'textWorker'>) =>
  async (run: JobRun<Upload>, spaces: readonly EmbeddingSpace[], passages?: PassageCounts): Promise<WorkResult> => {
    const { namespaceId, id: version, ids } = run.job
    const outcomes: DocumentOutcome[] = []
    for (const slice of slices(ids, statesAtOnce)) {
      const states = new Map(
        (await run.step('settle', () => store.items.latestStates(namespaceId, slice))).map((current) => [
          current.id,
          current,
        ]),
      )
      const deadOf = (id: string) => {
        const current = states.get(id)
        return [version, ...(current?.stale ?? [])].filter((candidate) => isDead(current, candidate))
      }
      const dead = slice.flatMap((id) =>
        deadOf(id).map((candidate) => ({ namespaceId, itemId: id, version: candidate })),
      )
      const dropDrained = async (id: string): Promise<void> => {
        const drained = deadOf(id).filter((candidate) => states.get(id)?.stale.includes(candidate))
        if (drained.length > 0) await store.items.dropStale(namespaceId, id, drained)
      }
      await run.step('settle', async () => {
        for (const space of spaces) await vectors.removeVersions(space, dead)
        await atOnce(itemsAtOnce, slice, dropDrained)
      })
      outcomes.push(...slice.map((id) => outcomeOf(id, states.get(id), version)))
    }
    if (outcomes.some(({ outcome }) => outcome === 'pending'))
      return { againMs: 1_000, because: 'a document is still processing' }
    const all = [
      ...outcomes,
      ...run.job.outcomes.filter(({ reason }) => reason === 'quota_exceeded' || reason === 'id_conflict'),
    ]
    const state = all.some(({ outcome }) => outcome !== 'failed') ? 'completed' : 'failed'
    await run.step('complete', () =>
      store.uploads.complete(run.lease, {
        state,
        outcomes: all,
        times: { ...run.times },
        ...(passages && { passages }),
        at: clock.now(),
      }),
    )
    return undefined
  }
