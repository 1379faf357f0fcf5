import { atOnce } from '@cairn/contracts/at-once'
import { parseExact } from '@cairn/contracts/exact-json'
import type { UserObject } from '@cairn/contracts/metadata'
import { metadataTerms, passageWords } from '@cairn/contracts/terms'
import type { Metadata } from '@cairn/ports/metadata/port'
import { type DocumentOutcome, type Item, type ItemState, isDead, type Upload } from '@cairn/ports/metadata/records'
import type { EmbeddingSpace, Point, VectorIndex } from '@cairn/ports/vector-index/port'
import type { JobRun, WorkResult } from './job-run.ts'

type Deps = { readonly metadata: Metadata; readonly vectors: VectorIndex; readonly clock: { now(): number } }
export type IndexedPassage = { readonly text: string; readonly vector: Float32Array }
/** The source of points: an item, or a chunk of a file. */
export type Indexable = Pick<Item, 'namespaceId' | 'id' | 'version' | 'body'>
type Entry = { readonly item: Indexable; readonly passages: readonly IndexedPassage[] }

const statesAtOnce = 100
const itemsAtOnce = 16

/** Returns the points of one item's passages, under the item's version. */
export const pointsOf = ({ item, passages }: Entry): Point[] => {
  const terms = metadataTerms(parseExact(item.body.metadata) as UserObject)
  return passages.map(({ text, vector }, passage) => ({
    namespaceId: item.namespaceId,
    itemId: item.id,
    version: item.version,
    passage,
    vector,
    terms,
    words: passageWords(text),
  }))
}

/** Writes the points, then the mark that makes them count. Both may be repeated. */
export const indexItems =
  ({ metadata, vectors }: Deps) =>
  async (run: JobRun<Upload>, space: EmbeddingSpace, entries: readonly Entry[]): Promise<void> => {
    if (entries.length === 0) return
    const { namespaceId, id: version, leaseSeq } = run.job
    await run.step('index', () => vectors.upsert(space, entries.flatMap(pointsOf)))
    if (leaseSeq > 1) {
      // An earlier run may have cut more passages, with another model or limit. The rest has the same version.
      for (const { item, passages } of entries) {
        await run.step('index', () =>
          vectors.removeVersion(space, { namespaceId, itemId: item.id, version, fromPassage: passages.length }),
        )
      }
    }
    const marks = entries.map(({ item, passages }) => ({ id: item.id, passages: passages.length }))
    await run.step('mark', () => metadata.items.markIndexed(namespaceId, version, marks))
    run.progress()
  }

const outcomeOf = (id: string, current: ItemState | undefined, version: string): DocumentOutcome => {
  if (!current) return { id, outcome: 'deleted' }
  if (current.version !== version) return { id, outcome: 'superseded' }
  if (current.status === 'processing') return { id, outcome: 'pending' }
  return { id, outcome: current.status, ...(current.reason === null ? {} : { reason: current.reason }) }
}

/**
 * Ends an upload. Reads every id once more and removes the dead points of its own version and of every version in
 * `stale`; only then is the job final. Points are removed one version at a time, each only after a read found that
 * version dead.
 */
export const settleUpload =
  ({ metadata, vectors, clock }: Deps) =>
  async (run: JobRun<Upload>, space: EmbeddingSpace): Promise<WorkResult> => {
    const { namespaceId, id: version, ids } = run.job
    const outcomes: DocumentOutcome[] = []
    for (let from = 0; from < ids.length; from += statesAtOnce) {
      const slice = ids.slice(from, from + statesAtOnce)
      const states = new Map(
        (await run.step('settle', () => metadata.items.latestStates(namespaceId, slice))).map((current) => [
          current.id,
          current,
        ]),
      )
      const settleItem = async (id: string): Promise<DocumentOutcome> => {
        const current = states.get(id)
        const dead = [version, ...(current?.stale ?? [])].filter((candidate) => isDead(current, candidate))
        for (const candidate of dead)
          await vectors.removeVersion(space, { namespaceId, itemId: id, version: candidate })
        const drained = dead.filter((candidate) => current?.stale.includes(candidate))
        if (drained.length > 0) await metadata.items.dropStale(namespaceId, id, drained)
        return outcomeOf(id, current, version)
      }
      // One version of one item at a time, but items side by side: each costs a round trip or two.
      const settled = await run.step('settle', () => atOnce(itemsAtOnce, slice, settleItem))
      outcomes.push(...settled)
    }
    if (outcomes.some(({ outcome }) => outcome === 'pending'))
      return { againMs: 1_000, because: 'a document is still processing' }
    const all = [
      ...outcomes,
      ...run.job.outcomes.filter(({ reason }) => reason === 'quota_exceeded' || reason === 'id_conflict'),
    ]
    const state = all.some(({ outcome }) => outcome !== 'failed') ? 'completed' : 'failed'
    await run.step('complete', () =>
      metadata.uploads.complete(run.lease, { state, outcomes: all, times: { ...run.times }, at: clock.now() }),
    )
    return undefined
  }
