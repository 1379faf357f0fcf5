import { atOnce } from '@cairn/contracts/at-once'
import { parseExact } from '@cairn/contracts/exact-json'
import type { UserObject } from '@cairn/contracts/metadata'
import { metadataTerms, passageWords } from '@cairn/contracts/terms'
import type { Metadata } from '@cairn/ports/metadata/port'
import { type DocumentOutcome, type Item, type ItemState, isDead, type Upload } from '@cairn/ports/metadata/records'
import type { Point, Space, VectorIndex } from '@cairn/ports/vector-index/port'
import type { JobRun, WorkResult } from './job-run.ts'

type Deps = { readonly metadata: Metadata; readonly vectors: VectorIndex; readonly clock: { now(): number } }
export type IndexedPassage = { readonly text: string; readonly vector: Float32Array }
/** The source of points: an item, or a chunk of a file. */
export type Indexable = Pick<Item, 'namespaceId' | 'id' | 'version' | 'body'>
type Entry = { readonly item: Indexable; readonly passages: readonly IndexedPassage[] }

const headsAtOnce = 100
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
  async (run: JobRun<Upload>, space: Space, entries: readonly Entry[]): Promise<void> => {
    if (entries.length === 0) return
    const { namespaceId, id: version, leaseSeq } = run.job
    await run.step('index', () => vectors.upsert(space, entries.flatMap(pointsOf)))
    if (leaseSeq > 1) {
      // An earlier run may have cut more passages, with another model or limit. The rest has the same version.
      for (const { item, passages } of entries) {
        await run.step('index', () => vectors.removeVersion(space, { namespaceId, itemId: item.id, version, fromPassage: passages.length }))
      }
    }
    const marks = entries.map(({ item, passages }) => ({ id: item.id, passages: passages.length }))
    await run.step('mark', () => metadata.items.markIndexed(namespaceId, version, marks))
    run.progress()
  }

const outcomeOf = (id: string, head: ItemState | undefined, version: string): DocumentOutcome => {
  if (!head) return { id, outcome: 'deleted' }
  if (head.version !== version) return { id, outcome: 'superseded' }
  if (head.status === 'processing') return { id, outcome: 'pending' }
  return { id, outcome: head.status, ...(head.reason === null ? {} : { reason: head.reason }) }
}

/**
 * Ends an upload. Reads every id once more and removes the dead points of its own version and of every version in
 * `stale`; only then is the job final. Points are removed one version at a time, each only after a read found that
 * version dead.
 */
export const settleUpload =
  ({ metadata, vectors, clock }: Deps) =>
  async (run: JobRun<Upload>, space: Space): Promise<WorkResult> => {
    const { namespaceId, id: version, ids } = run.job
    const outcomes: DocumentOutcome[] = []
    for (let from = 0; from < ids.length; from += headsAtOnce) {
      const slice = ids.slice(from, from + headsAtOnce)
      const heads = new Map(
        (await run.step('settle', () => metadata.items.latestStates(namespaceId, slice))).map((head) => [head.id, head]),
      )
      const settleItem = async (id: string): Promise<DocumentOutcome> => {
        const head = heads.get(id)
        const dead = [version, ...(head?.stale ?? [])].filter((candidate) => isDead(head, candidate))
        for (const candidate of dead) await vectors.removeVersion(space, { namespaceId, itemId: id, version: candidate })
        const drained = dead.filter((candidate) => head?.stale.includes(candidate))
        if (drained.length > 0) await metadata.items.dropStale(namespaceId, id, drained)
        return outcomeOf(id, head, version)
      }
      // One version of one item at a time, but items side by side: each costs a round trip or two.
      const settled = await run.step('settle', () => atOnce(itemsAtOnce, slice, settleItem))
      outcomes.push(...settled)
    }
    if (outcomes.some(({ outcome }) => outcome === 'pending')) return { againMs: 1_000, because: 'a document is still processing' }
    const all = [...outcomes, ...run.job.outcomes.filter(({ reason }) => reason === 'quota_exceeded' || reason === 'id_conflict')]
    const state = all.some(({ outcome }) => outcome !== 'failed') ? 'completed' : 'failed'
    await run.step('complete', () =>
      metadata.uploads.complete(run.lease, { state, outcomes: all, times: { ...run.times }, at: clock.now() }),
    )
    return undefined
  }
