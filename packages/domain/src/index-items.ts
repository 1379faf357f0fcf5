import { atOnce } from '@cairn/contracts/at-once'
import { parseExact } from '@cairn/contracts/exact-json'
import type { Language } from '@cairn/contracts/languages'
import { limits } from '@cairn/contracts/limits'
import type { UserObject } from '@cairn/contracts/metadata'
import { fieldsOf } from '@cairn/contracts/metadata-filter'
import { slices } from '@cairn/contracts/slices'
import { metadataTerms, passageWords } from '@cairn/contracts/terms'
import type { JobRun, WorkResult } from './job-run.ts'
import { lexemesOf } from './lexemes.ts'
import {
  type DocumentOutcome,
  type Item,
  type ItemState,
  isDead,
  isFileVersion,
  type PassageCounts,
  type Passages,
  type Upload,
} from './metadata/records.ts'
import type { Metadata } from './metadata.ts'
import { passageTerm } from './passage-term.ts'
import type { EmbeddingSpace, Point, VectorIndex } from './ports/vector-index.ts'

type Deps = { readonly metadata: Metadata; readonly vectors: VectorIndex; readonly clock: { now(): number } }
export type IndexedPassage = { readonly text: string; readonly vector: Float32Array }
/** The source of points: an item, or a chunk of a file. */
export type Indexable = Pick<Item, 'namespaceId' | 'id' | 'version' | 'body'>
type Entry = { readonly item: Indexable; readonly passages: readonly IndexedPassage[] }

const statesAtOnce = 100
const itemsAtOnce = 16

/** Returns the first `max` code points of a text, without a word that would be cut. */
const beginningOf = (text: string, max: number): string => {
  const points = Array.from(text)
  const begun = points.slice(0, max).join('')
  return points.length <= max || /^\s/u.test(points[max] ?? '') ? begun : begun.replace(/(?<=\s)\S+$/u, '')
}

/** Keys in the metadata of a file's chunk that say in which file, and where in it, its text stands. */
const keysOfPlace = ['source', 'title', 'page_title', 'heading', 'sheet'] as const

/**
 * Returns the context of an item: searches find its words, too, and count them less. For a document it is what the client
 * sent as `context`.
 */
const contextOf = ({ version }: Indexable, metadata: UserObject): string => {
  const textOf = (key: string): string => (typeof metadata[key] === 'string' ? metadata[key] : '')
  if (isFileVersion(version)) return keysOfPlace.map(textOf).join('\n')
  return beginningOf(textOf('context'), limits.documentContextLength)
}

/** Returns the points of one item's passages, under the item's version. `language`: the namespace's language. */
export const pointsOf = ({ item, passages }: Entry, language?: Language): Point[] => {
  const metadata = parseExact(item.body.metadata) as UserObject
  const context = contextOf(item, metadata)
  const [terms, fields] = [metadataTerms(metadata), fieldsOf(metadata)]
  return passages.map(({ text, vector }, passage) => ({
    namespaceId: item.namespaceId,
    itemId: item.id,
    version: item.version,
    passage,
    vector,
    terms: item.body.vector ? terms : [...terms, passageTerm(text)],
    words: passageWords(text),
    fields,
    // Items of vector namespaces are never found by words.
    ...(item.body.vector ? {} : { lexemes: lexemesOf(text, language, context) }),
  }))
}

/** Passages of items for one embedding space. */
export type SpaceEntries = { readonly space: EmbeddingSpace; readonly entries: readonly Entry[] }

/** Returns each item's passage counts in the form that `markIndexed` records. `second` may lack items. */
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

/**
 * Writes the points, then the marks that make the points count. Both writes may be repeated. `second`: entries for the
 * second space of a namespace that is being reindexed.
 */
export const indexItems =
  ({ metadata, vectors }: Deps) =>
  async (run: JobRun<Upload>, first: SpaceEntries, language?: Language, second?: SpaceEntries): Promise<void> => {
    if (first.entries.length === 0) return
    const { namespaceId, id: version, leaseSeq } = run.job
    for (const { space, entries } of second ? [second, first] : [first]) {
      await run.step('index', () =>
        vectors.upsert(
          space,
          entries.flatMap((entry) => pointsOf(entry, language)),
        ),
      )
      if (leaseSeq <= 1) continue
      // An earlier run may have cut more passages, with another model or limit. The surplus points have the same
      // version.
      const rest = entries.map(({ item, passages }) => ({
        namespaceId,
        itemId: item.id,
        version,
        fromPassage: passages.length,
      }))
      await run.step('index', () => vectors.removeVersions(space, rest))
    }
    await run.step('mark', () => metadata.items.markIndexed(namespaceId, version, passagesOfItems(first, second)))
    run.progress()
  }

const outcomeOf = (id: string, current: ItemState | undefined, version: string): DocumentOutcome => {
  if (!current) return { id, outcome: 'deleted' }
  if (current.version !== version) return { id, outcome: 'superseded' }
  if (current.status === 'processing') return { id, outcome: 'pending' }
  return { id, outcome: current.status, ...(current.reason === null ? {} : { reason: current.reason }) }
}

/**
 * Ends an upload, unless an item is still `processing`: then the job is retried. Reads every item once more and removes
 * the points of dead versions, of the upload's own and of those in `stale`, from these spaces; only then is the job
 * final. The points of a version are removed only after a read found that version dead.
 */
export const settleUpload =
  ({ metadata, vectors, clock }: Deps) =>
  async (run: JobRun<Upload>, spaces: readonly EmbeddingSpace[], passages?: PassageCounts): Promise<WorkResult> => {
    const { namespaceId, id: version, ids } = run.job
    const outcomes: DocumentOutcome[] = []
    for (const slice of slices(ids, statesAtOnce)) {
      const states = new Map(
        (await run.step('settle', () => metadata.items.latestStates(namespaceId, slice))).map((current) => [
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
        if (drained.length > 0) await metadata.items.dropStale(namespaceId, id, drained)
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
      metadata.uploads.complete(run.lease, {
        state,
        outcomes: all,
        times: { ...run.times },
        ...(passages && { passages }),
        at: clock.now(),
      }),
    )
    return undefined
  }
