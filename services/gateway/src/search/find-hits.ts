import { onlyChunkOf } from '@cairn/contracts/documents/chunk-ids'
import { parseMetadata } from '@cairn/contracts/documents/metadata'
import { createFilterTest, type Filter } from '@cairn/contracts/documents/metadata-filter'
import { createPauses } from '@cairn/contracts/flow/pauses'
import { limits } from '@cairn/contracts/limits'
import { scoreOf } from '@cairn/contracts/text/labels'
import { minReadable } from '@cairn/contracts/text/scripts'
import { isFileVersion } from '@cairn/domain/files/record'
import type { Body, SearchableItem } from '@cairn/domain/items/record'
import type { NamespaceType } from '@cairn/domain/namespaces/record'
import type {
  EmbeddingSpace,
  ItemVersion,
  PointAddress,
  PointFilter,
  Requester,
} from '@cairn/domain/ports/vector-index'
import { filesOf } from '@cairn/runtime/jobs/files-of'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableId } from '../gate.ts'
import type { ScoredHit, ScoreParts } from './score-hits.ts'

type Content = Pick<Body, 'text' | 'metadata'>
/** Where a chunk comes from; `places` as in its record. */
export type HitFile = { readonly id: string; readonly name: string; readonly places: string | undefined }
export type Found = {
  readonly namespaceId: string
  readonly id: string
  readonly version: string
  /** Passage that scored best. */
  readonly passage: number
  readonly score: number
  readonly parts?: ScoreParts | undefined
  readonly body: Content
  readonly file?: HitFile | undefined
  /** Further hits of the group, best first: chunks of one file. */
  readonly others: readonly Pick<Found, 'id' | 'score'>[]
}
/** Unit of a result; default: an item. */
export type GroupBy = 'file' | undefined
export type HitSearch = {
  readonly found: Found[]
  /** Points read. */
  readonly read: number
  /** False when the search stopped at its limit of points although more were left. */
  readonly complete: boolean
}

type Deps = Pick<GatewayPorts, 'store' | 'vectors'>

type Wanted = {
  readonly filter?: Filter | undefined
  readonly groupBy?: GroupBy
  /** Final score, given the text; never higher than the one it was found with. Default: the hit. */
  readonly withText?: (hit: ScoredHit, text: string) => ScoredHit
  /** Default: a service whose work is not aborted. */
  readonly requester?: Requester
}

/** Parses metadata only if a filter needs it. */
const prepare = ({ filter, groupBy, withText = (hit) => hit }: Wanted) => {
  const test = filter && createFilterTest(filter)
  return {
    groupBy,
    withText,
    passes: ({ metadata }: Content) => !test || test(parseMetadata(metadata)),
  }
}

const itemKey = (namespaceId: string, itemId: string) => `${namespaceId} ${itemId}`

/** `body` is published; `moved`: since the query. `file`: set for a chunk. */
type HitState = { readonly body: Content; readonly file?: HitFile } | 'moved' | 'gone'

const hitKey = ({ namespaceId, itemId, version }: Pick<PointAddress, 'namespaceId' | 'itemId' | 'version'>) =>
  `${namespaceId} ${version} ${itemId}`

const ofItem = (item: SearchableItem | undefined, version: string): HitState => {
  if (item === undefined || item.indexedVersion === null) return 'gone'
  return item.indexedVersion === version ? { body: item.body } : 'moved'
}

const judgeItems = async (
  { store }: Deps,
  hits: readonly PointAddress[],
  states: Map<string, HitState>,
): Promise<void> => {
  const distinct = new Map(hits.map((hit) => [itemKey(hit.namespaceId, hit.itemId), hit]))
  const items = distinct.size === 0 ? [] : await store.items.searchable([...distinct.values()])
  const byKey = new Map(items.map((item) => [itemKey(item.namespaceId, item.id), item]))
  for (const hit of hits) states.set(hitKey(hit), ofItem(byKey.get(itemKey(hit.namespaceId, hit.itemId)), hit.version))
}

/** Keeps chunks whose version is published; one being processed will count later, any other was replaced. */
const judgeChunks = async (
  { store }: Deps,
  hits: readonly PointAddress[],
  states: Map<string, HitState>,
): Promise<void> => {
  if (hits.length === 0) return
  const chunks = await store.chunks.get(hits)
  const files = await filesOf(store, chunks)
  const byKey = new Map(chunks.map((chunk) => [hitKey(chunk), chunk]))
  for (const hit of hits) {
    const chunk = byKey.get(hitKey(hit))
    const file = chunk && files.get(chunk.fileId)
    if (chunk && file?.live?.version === hit.version)
      states.set(hitKey(hit), { body: chunk.body, file: { id: file.id, name: file.name, places: chunk.places } })
    else states.set(hitKey(hit), file?.version === hit.version && file.outcome === null ? 'gone' : 'moved')
  }
}

const lookUp = async (deps: Deps, points: readonly PointAddress[], states: Map<string, HitState>): Promise<void> => {
  const distinct = new Map(points.map((point) => [hitKey(point), point]))
  const hits = [...distinct].flatMap(([key, point]) => (states.has(key) ? [] : point))
  const ofFiles = (hit: PointAddress) => isFileVersion(hit.version)
  const ofItems = hits.filter((hit) => !ofFiles(hit))
  await Promise.all([judgeItems(deps, ofItems, states), judgeChunks(deps, hits.filter(ofFiles), states)])
}

/** A summary of a single chunk has the key of that chunk, because it says the same. */
const placeOf = (
  { namespaceId, itemId }: PointAddress,
  { file, body }: Exclude<HitState, string>,
  groupBy: GroupBy,
): string => {
  if (!file) return itemKey(namespaceId, itemId)
  if (groupBy === 'file') return itemKey(namespaceId, `file ${file.id}`)
  const { page, is_summary } = parseMetadata(body.metadata)
  return itemKey(namespaceId, (is_summary === true && onlyChunkOf(itemId, page)) || itemId)
}

/** Returns each item once, best first. */
const othersOf = (hits: readonly Pick<Found, 'id' | 'score'>[], except: string): Found['others'] => {
  const best = new Map<string, number>()
  for (const { id, score } of hits) if (id !== except) best.set(id, Math.max(score, best.get(id) ?? 0))
  return [...best].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

/** Points read in total, to replace hits whose texts the model can't read. */
const maxReadForUnreadable = 320

/** Least items whose bodies are read at once while texts that the model can read are sought. */
const minSlice = 32

/** Also true if the model doesn't read the query: words then rank whatever the text. */
const isReadable = ({ query, text }: NonNullable<ScoreParts['readable']> = { query: 1, text: 1 }): boolean =>
  query < minReadable || text >= minReadable

const areReadable = (found: ReadonlyMap<string, Found>, count: number): boolean =>
  found.values().reduce((sum, { parts }) => sum + Number(isReadable(parts?.readable)), 0) >= count

/** Adds the best hit of each item that still has the hit's indexed version. True if a missing item has moved. */
const confirm = async (
  hits: readonly ScoredHit[],
  states: ReadonlyMap<string, HitState>,
  found: Map<string, Found>,
  { passes, groupBy, withText }: ReturnType<typeof prepare>,
): Promise<boolean> => {
  const moved = new Set<string>()
  const pause = createPauses()
  for (const hit of hits) {
    await pause()
    const { namespaceId, itemId: id, version, passage } = hit
    const state = states.get(hitKey(hit))
    if (state === undefined || state === 'gone') continue
    if (state === 'moved') {
      moved.add(itemKey(namespaceId, id))
      continue
    }
    if (!passes(state.body)) continue
    const place = placeOf(hit, state, groupBy)
    const best = found.get(place)
    const isChunkOfSummary = best && best.id !== id && itemKey(namespaceId, id) === place
    const { score, parts } = withText(hit, state.body.text)
    const one = { namespaceId, id, version, passage, score, parts, body: state.body, file: state.file, others: [] }
    if (!best || isChunkOfSummary) found.set(place, one)
    else if (score > best.score && (best.id === id || groupBy))
      found.set(place, { ...one, others: othersOf([best, ...best.others], id) })
    else if (best.id !== id && groupBy)
      found.set(place, { ...best, others: othersOf([...best.others, { id, score }], best.id) })
  }
  const ids = new Set([...found.values()].map(({ namespaceId, id }) => itemKey(namespaceId, id)))
  return [...moved].some((key) => !ids.has(key))
}

/** Slices of `size` distinct items, best first. */
const slicesOf = (hits: readonly ScoredHit[], size: number): ScoredHit[][] => {
  const slices: ScoredHit[][] = []
  const items = new Set<string>()
  for (const hit of hits) {
    items.add(itemKey(hit.namespaceId, hit.itemId))
    const slice = Math.ceil(items.size / size) - 1
    slices[slice] = [...(slices[slice] ?? []), hit]
  }
  return slices
}

/** The remaining hits can't be among the best; one of equal score can, as the index does not order these. */
const isSettled = (found: ReadonlyMap<string, Found>, count: number, [next]: readonly ScoredHit[]): boolean => {
  if (found.size < count || !next) return false
  const scores = [...found.values()].map(({ score }) => scoreOf(score)).sort((a, b) => b - a)
  return scoreOf(next.score) < (scores[count - 1] ?? 0)
}

/** For versions that are being replaced. */
const margin = 6

/** Returns the maximum points of the first index query. A vector is one point; a text may have several. */
export const firstLimit = (type: NamespaceType, count: number): number =>
  Math.min(type === 'vector' ? count + margin : 4 * count, limits.searchReadPoints)

/** Returns the hits of the best `limit` points without the excepted versions, best first. */
export type Ask = (except: readonly ItemVersion[], limit: number) => Promise<readonly ScoredHit[]>

/**
 * Finds the best `count` items among the points that `ask` returns. Each further query leaves out the versions read and
 * reads twice as many points, until enough published items are found, the source ends, or the limit is reached. Bodies
 * are read best first and no more than needed: they are the largest cost of a search. A hit counts only if its version
 * is indexed and its metadata passes. When an item moves between query and look-up, the query runs once more, so that
 * an item that exists throughout is never missed.
 */
export const findHits =
  (deps: Deps, wanted: Wanted = {}) =>
  async (
    ask: Ask,
    count: number,
    /** First query, with its hits if it has already run. */
    first: { readonly limit: number; readonly hits?: readonly ScoredHit[] },
  ): Promise<HitSearch> => {
    const prepared = prepare(wanted)
    const found = new Map<string, Found>()
    const except: ItemVersion[] = []
    let read = 0
    let repeated = false
    let ready = first.hits
    for (let { limit } = first; ; ) {
      const hits = ready ?? (await ask(except, limit))
      ready = undefined
      const states = new Map<string, HitState>()
      let moved = false
      for (const slice of slicesOf(hits, found.size < count ? count - found.size : Math.max(count, minSlice))) {
        if (isSettled(found, count, slice)) break
        wanted.requester?.signal.throwIfAborted()
        await lookUp(deps, slice, states)
        moved = (await confirm(slice, states, found, prepared)) || moved
      }
      if (moved && !repeated) {
        repeated = true
        continue
      }
      read += hits.length
      const complete = found.size >= count || hits.length < limit
      const isEnough = hits.length < limit || areReadable(found, count) || read >= maxReadForUnreadable
      if ((complete && isEnough) || read >= limits.searchReadPoints)
        return { found: [...found.values()], read, complete }
      except.push(...new Map(hits.map((hit) => [hitKey(hit), hit])).values())
      limit = Math.min(2 * limit, (complete ? maxReadForUnreadable : limits.searchReadPoints) - read)
    }
  }

const listedAtOnce = 500

/** Lists items by id, for a query of only filters; each scores 1. `namespaceIds` are in the requested order. */
export const listHits =
  (deps: Deps, wanted: Wanted = {}) =>
  async (
    space: EmbeddingSpace,
    query: { readonly namespaceIds: readonly ReadableId[]; readonly filter: PointFilter },
    count: number,
  ): Promise<HitSearch> => {
    const prepared = prepare(wanted)
    const found = new Map<string, Found>()
    let read = 0
    let repeated = false
    for (const namespaceId of query.namespaceIds) {
      const before = found.size
      for (let after: PointAddress | undefined; found.size - before < count; ) {
        const listing = {
          namespaceIds: [namespaceId],
          filter: query.filter,
          limit: listedAtOnce,
          ...(after ? { after } : {}),
        }
        const points: PointAddress[] = await deps.vectors.list(space, listing, wanted.requester)
        const states = new Map<string, HitState>()
        await lookUp(deps, points, states)
        read += points.length
        const hits = points.map((point) => ({ ...point, score: 1 }))
        if ((await confirm(hits, states, found, prepared)) && !repeated) {
          repeated = true
          continue
        }
        after = points.at(-1)
        if (points.length < listedAtOnce) break
        if (read >= limits.searchReadPoints) return { found: [...found.values()], read, complete: false }
      }
    }
    return { found: [...found.values()], read, complete: true }
  }
