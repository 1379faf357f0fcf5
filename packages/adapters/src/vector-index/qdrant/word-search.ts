import { atOnce } from '@cairn/contracts/flow/at-once'
import type { Frequencies, WordHit, WordQuery } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { bestOfBoth } from '../best-of-both.ts'
import { scoreWords, type Words, wordsFrom } from '../bm25.ts'
import { createRecent } from '../recent.ts'
import type { PointQuery, Qdrant } from './client.ts'
import { has, sparseVector, toAddress, toFilter, toLexemes, wordFields } from './points.ts'
import { denseParams, toExceptions } from './search.ts'

/** `vector` has unit length. */
type Request = Omit<WordQuery, 'vector'> & {
  readonly vector: Float32Array | undefined
  readonly signal: AbortSignal | undefined
}

type Counted = Pick<Request, 'namespaceIds' | 'lexemes' | 'signal'>

/** Points beyond the limit: Qdrant sorts by nominal lengths and cuts equal scores arbitrarily. */
const margin = 64
/** For the average passage length of a namespace. */
const sampledPoints = 1_000
const countsAtOnce = 8

/** Statistics are per namespace, counted from its points. */
export class WordSearch {
  readonly #qdrant: Qdrant
  /** Concurrent calls share one request. */
  readonly #recent: ReturnType<typeof createRecent<Promise<number>>>

  constructor(qdrant: Qdrant, statisticsMs: number) {
    this.#qdrant = qdrant
    this.#recent = createRecent<Promise<number>>(statisticsMs)
  }

  async search(collection: string, asked: Request): Promise<WordHit[]> {
    const { namespaceIds, vector, filter, except, limit, signal } = asked
    const found = await this.#wordsOfAll(collection, asked)
    const all = namespaceIds.map((namespaceId, index) => ({ namespaceId, ...(found[index] as Words) }))
    const queries = all.flatMap(({ namespaceId, words }): PointQuery[] => {
      const scope = {
        filter: { ...toFilter(namespaceId, filter), ...toExceptions(namespaceId, except) },
        with_payload: wordFields,
      }
      const weights = { indices: words.map(({ lexeme }) => lexeme), values: words.map(({ rarity: weight }) => weight) }
      return [
        ...(vector ? [{ ...scope, query: vector, params: denseParams, limit: limit + margin }] : []),
        ...(words.length > 0 ? [{ ...scope, query: weights, using: sparseVector, limit: 2 * limit + margin }] : []),
      ]
    })
    if (queries.length === 0) return []
    const results = await this.#qdrant.query(collection, queries, signal)
    const wordsIn = new Map(all.map(({ namespaceId, ...words }) => [namespaceId, words]))
    const hits = new Map<Schemas['ExtendedPointId'], WordHit>()
    for (const [index, points] of results.entries()) {
      const isDense = queries[index]?.using === undefined
      for (const point of points) {
        const address = toAddress(point)
        const scores = scoreWords(wordsIn.get(address.namespaceId)!, toLexemes(point))
        const former = hits.get(point.id)
        if (isDense) hits.set(point.id, { ...address, ...scores, cosine: Math.max(-1, Math.min(1, point.score)) })
        else if (!former) hits.set(point.id, { ...address, ...scores })
      }
    }
    return bestOfBoth(vector ? await this.#withCosines(collection, vector, hits, signal) : [...hits.values()], limit)
  }

  async frequencies(collection: string, asked: Counted): Promise<Frequencies> {
    const { namespaceIds, lexemes } = asked
    const [points, counts] = await Promise.all([
      atOnce(countsAtOnce, namespaceIds, (namespaceId) => this.#pointsOf(collection, namespaceId)),
      this.#countWords(collection, asked),
    ])
    const sumOf = (position: number) =>
      counts.reduce((sum, count, at) => (at % lexemes.length === position ? sum + count : sum), 0)
    return {
      points: points.reduce((sum, count) => sum + count, 0),
      of: Array.from(lexemes, (_, position) => sumOf(position)),
    }
  }

  async #countOf(collection: string, filter: Schemas['Filter']): Promise<number> {
    const { count } = await this.#qdrant.request((client) => client.count(collection, { filter, exact: true }))
    return count
  }

  async #averageOf(collection: string, namespaceId: string): Promise<number> {
    const filter = toFilter(namespaceId)
    const sample = { query: { sample: 'random' as const }, filter, with_payload: ['length'], limit: sampledPoints }
    const [points = []] = await this.#qdrant.query(collection, [sample])
    const lengths = points.flatMap(({ payload }) => (payload?.['length'] as number | undefined) ?? [])
    return lengths.length === 0 ? 1 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  }

  #pointsOf(collection: string, namespaceId: string) {
    return this.#recent(`${collection} ${namespaceId} points`, () => this.#countOf(collection, toFilter(namespaceId)))
  }

  /** Sends few requests at a time. */
  #countWords(collection: string, { namespaceIds, lexemes, signal }: Counted): Promise<number[]> {
    const counted = namespaceIds.flatMap((namespaceId) => [...lexemes].map((lexeme) => ({ namespaceId, lexeme })))
    return atOnce(countsAtOnce, counted, ({ namespaceId, lexeme }) => {
      signal?.throwIfAborted()
      return this.#recent(`${collection} ${namespaceId} ${lexeme}`, () =>
        this.#countOf(collection, toFilter(namespaceId, undefined, [has('lexemes', lexeme)])),
      )
    })
  }

  async #wordsOfAll(collection: string, asked: Request): Promise<Words[]> {
    const { namespaceIds, lexemes, signal } = asked
    const [general, counts] = await Promise.all([
      atOnce(countsAtOnce, namespaceIds, async (namespaceId) => {
        signal?.throwIfAborted()
        const [averageLength, points] = await Promise.all([
          this.#recent(`${collection} ${namespaceId} average`, () => this.#averageOf(collection, namespaceId)),
          this.#pointsOf(collection, namespaceId),
        ])
        return { averageLength, points }
      }),
      this.#countWords(collection, asked),
    ])
    return general.map((statistics, index) =>
      wordsFrom(
        [...lexemes].map((lexeme, position) => [lexeme, counts[index * lexemes.length + position] ?? 0] as const),
        statistics,
      ),
    )
  }

  /** Scores points that were found only by their words. */
  async #withCosines(
    collection: string,
    vector: Float32Array,
    hits: ReadonlyMap<Schemas['ExtendedPointId'], WordHit>,
    signal: AbortSignal | undefined,
  ): Promise<WordHit[]> {
    const ids = [...hits].flatMap(([id, { cosine }]) => (cosine === undefined ? [id] : []))
    if (ids.length === 0) return [...hits.values()]
    const filter = { must: [{ has_id: ids }] }
    const exact = { query: vector, filter, params: { exact: true }, limit: ids.length }
    const [points = []] = await this.#qdrant.query(collection, [exact], signal)
    const scores = new Map(points.map(({ id, score }) => [id, score]))
    return [...hits].flatMap(([id, hit]) => {
      const cosine = hit.cosine ?? scores.get(id)
      // The point was removed after it was found.
      return cosine === undefined ? [] : [{ ...hit, cosine: Math.max(-1, Math.min(1, cosine)) }]
    })
  }
}
