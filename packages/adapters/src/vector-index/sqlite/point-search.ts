import type { Frequencies, VectorHit, WordHit } from '@cairn/domain/ports/vector-index'
import { bestOfBoth } from '../best-of-both.ts'
import { compareAddresses } from '../compare-addresses.ts'
import { dot } from '../vector-math.ts'
import { eachVector } from './build-cached.ts'
import type { HeldVectors } from './cached-vectors.ts'
import { rescore, type Shortlist, shortlist } from './code-search.ts'
import type { ReadRequest, SearchScope } from './messages.ts'
import type { PointReads, StoredPoint } from './reads.ts'
import { partitionOf, pointId } from './schema.ts'
import { SlotSelection } from './select-slots.ts'
import type { TimeSlices } from './time-slices.ts'
import { createTopScores, type TopScores } from './top-scores.ts'
import type { VectorCache } from './vector-cache.ts'
import { maxTies, type Selection, WordSearch } from './word-search.ts'

type SearchRequest = Extract<ReadRequest, { kind: 'search' }>
type FrequencyRequest = Extract<ReadRequest, { kind: 'frequencies' }>
type WordRequest = Extract<ReadRequest, { kind: 'searchWords' }>

/**
 * Up to these numbers, points are compared one by one from the file: adjacent points at 1.5 µs each, points selected by
 * a filter at 3 µs. In a query over many namespaces the limit is lower, because comparing all points of a namespace
 * must not cost more than selecting its best points by codes.
 */
const maxScannedPoints = 1_000
const fewMatches = 256
const fewOfMany = 128

/** Replaces hits that are removed before they are read. */
const margin = 64
const wordMargin = 8
const idsPerRead = 1_024
const attempts = 3

type Candidates = Selection & { readonly count: number }
type Ranked = ReturnType<TopScores['ranked']>

const cosine = (query: Float32Array, vector: Float32Array): number => Math.max(-1, Math.min(1, dot(query, vector)))

const addHeld = async (
  { values, occupied, slots, dimension }: HeldVectors,
  { partition, within, without }: Candidates,
  query: Float32Array,
  scores: TopScores,
  slices: TimeSlices,
): Promise<void> => {
  const count = within?.length ?? slots
  for (let position = 0; position < count; position++) {
    const slot = within ? within[position]! : position
    if (!occupied[slot] || without.has(slot)) continue
    scores.add(pointId(partition.id, slot), dot(query, values, slot * dimension))
    if (position % 4_096 === 4_095 && slices.isOver()) await slices.next()
  }
}

const namespacesOf = (candidates: readonly Candidates[]): ReadonlyMap<number, string> =>
  new Map(candidates.map(({ partition }) => [partition.id, partition.namespaceId]))

export class PointSearch {
  readonly #reads: PointReads
  readonly #vectorCache: VectorCache
  readonly #byWord: WordSearch

  constructor(reads: PointReads, vectorCache: VectorCache, statisticsMs = 30_000) {
    this.#reads = reads
    this.#vectorCache = vectorCache
    this.#byWord = new WordSearch(reads, statisticsMs)
  }

  async search(request: SearchRequest, slices: TimeSlices): Promise<VectorHit[]> {
    for (let attempt = 1; ; attempt++) {
      const candidates = await this.#candidatesOf(request, slices)
      const scores = createTopScores(request.limit + margin)
      await this.#score(candidates, request, scores, slices)
      const ranked = scores.ranked()
      const hits = this.#reads.atOnce(() => this.#toHits(ranked, request, namespacesOf(candidates)))
      // Some results were removed meanwhile, and other points may have been skipped in their favor: search again.
      if (hits.length >= Math.min(request.limit, ranked.length) || attempt === attempts) return hits
    }
  }

  async searchWords(request: WordRequest, slices: TimeSlices): Promise<WordHit[]> {
    const { space, vector, lexemes, limit } = request
    const candidates = await this.#candidatesOf(request, slices)
    const byVector = createTopScores(limit + margin)
    if (vector) await this.#score(candidates, { space, vector, limit }, byVector, slices)
    const rankedByVector = byVector.ranked()
    const foundByVector = Map.groupBy(
      rankedByVector.map(({ id }) => id),
      partitionOf,
    )
    const byWords = createTopScores(limit + wordMargin, maxTies)
    const scores = new Map<number, Pick<WordHit, 'bm25' | 'matched'>>()
    for (const one of candidates) {
      const { ranked, scoresOf } = await this.#byWord.search(one, lexemes, limit + wordMargin, slices)
      for (const { id, score } of ranked) byWords.add(id, score)
      // Here, so that the sums of one namespace at a time are in memory.
      const ids = [...ranked.map(({ id }) => id), ...(foundByVector.get(one.partition.id) ?? [])]
      for (const [id, score] of scoresOf(ids)) scores.set(id, score)
    }
    const namespaces = namespacesOf(candidates)
    const hits = this.#reads.atOnce(() => {
      const lists = [byWords.ranked(), rankedByVector]
      const points = new Map(lists.flatMap((ranked) => this.#readBest(ranked, limit)).map((point) => [point.id, point]))
      return [...points.values()].map(
        ({ id, itemId, version, passage, vector: stored }): WordHit => ({
          namespaceId: namespaces.get(partitionOf(id)) as string,
          itemId,
          version,
          passage,
          ...(vector ? { cosine: cosine(vector, stored) } : {}),
          ...scores.get(id)!,
        }),
      )
    })
    return bestOfBoth(hits, limit)
  }

  async frequencies(request: FrequencyRequest, slices: TimeSlices): Promise<Frequencies> {
    const { space, namespaceIds, lexemes } = request
    let points = 0
    const of = Array.from(lexemes, () => 0)
    for (const partition of this.#reads.partitions(space, namespaceIds)) {
      points += partition.points
      const found = await this.#byWord.frequenciesOf(partition, lexemes, slices)
      for (const [index, [, frequency]] of found.entries()) of[index]! += frequency
    }
    return { points, of }
  }

  async #addFromFile(
    { partition, within, without }: Candidates,
    query: Float32Array,
    scores: TopScores,
    slices: TimeSlices,
  ) {
    if (!within) {
      return eachVector(this.#reads, partition.id, slices, (slot, vector) => {
        if (!without.has(slot)) scores.add(pointId(partition.id, slot), dot(query, vector))
      })
    }
    for (let from = 0; from < within.length; from += idsPerRead) {
      const ids = Array.from(within.subarray(from, from + idsPerRead), (slot) => pointId(partition.id, slot))
      for (const { id, vector } of this.#reads.vectors(ids)) scores.add(id, dot(query, vector))
      if (slices.isOver()) await slices.next()
    }
  }

  /** In large namespaces, codes preselect the candidates whose vectors are read. */
  async #score(
    all: readonly Candidates[],
    { space, vector, limit }: Pick<SearchRequest, 'space' | 'vector' | 'limit'>,
    scores: TopScores,
    slices: TimeSlices,
  ) {
    const total = all.reduce((sum, { count }) => sum + count, 0)
    const few = all.length === 1 || total <= maxScannedPoints ? maxScannedPoints : fewOfMany
    const lists: Shortlist[] = []
    let coded = 0
    for (const candidates of all) {
      const { partition, within, without, count } = candidates
      const isDirect = partition.points <= few || (within && count <= fewMatches)
      const cached = isDirect ? undefined : await this.#vectorCache.acquire(partition, space.dimension)
      if (cached?.kind === 'codes') {
        lists.push(await shortlist(cached.codes, vector, { partition: partition.id, limit, within, without, slices }))
        coded += count
      } else if (cached?.kind === 'vectors') await addHeld(cached.vectors, candidates, vector, scores, slices)
      else await this.#addFromFile(candidates, vector, scores, slices)
      if (slices.isOver()) await slices.next()
    }
    await rescore(lists, vector, {
      limit,
      candidates: coded,
      scores,
      slices,
      readVectors: (ids) => this.#reads.vectors(ids),
    })
  }

  /** Reads in order of score, until `limit` existing points are found and no further one ties with the last. */
  #readBest(ranked: Ranked, limit: number): StoredPoint[] {
    const found: StoredPoint[] = []
    for (let from = 0; from < ranked.length && found.length < limit; ) {
      let to = Math.min(ranked.length, from + Math.min(idsPerRead, limit - found.length))
      while (to < ranked.length && ranked[to]?.score === ranked[to - 1]?.score) to++
      found.push(...this.#reads.points(ranked.slice(from, to).map(({ id }) => id)))
      from = to
    }
    return found
  }

  /** Scores are recomputed, so that score and address are consistent despite writes since the scan. */
  #toHits(ranked: Ranked, { vector, limit }: SearchRequest, namespaces: ReadonlyMap<number, string>) {
    return this.#readBest(ranked, limit)
      .map(({ id, itemId, version, passage, vector: stored }): VectorHit => {
        const namespaceId = namespaces.get(partitionOf(id)) as string
        return { namespaceId, itemId, version, passage, score: cosine(vector, stored) }
      })
      .sort((a, b) => b.score - a.score || compareAddresses(a, b))
      .slice(0, limit)
  }

  async #candidatesOf(request: SearchScope, slices: TimeSlices): Promise<Candidates[]> {
    const selection = new SlotSelection(this.#reads, request.test, slices)
    const found: Candidates[] = []
    for (const partition of this.#reads.partitions(request.space, request.namespaceIds)) {
      const except = request.except.filter(({ namespaceId }) => namespaceId === partition.namespaceId)
      const without = this.#reads.slotsOf(partition.id, except)
      const matching = await selection.of(partition)
      const within = without.size > 0 ? matching?.filter((slot) => !without.has(slot)) : matching
      const count = within?.length ?? partition.points - without.size
      if (count > 0) found.push({ partition, within, without, count })
    }
    return found
  }
}
