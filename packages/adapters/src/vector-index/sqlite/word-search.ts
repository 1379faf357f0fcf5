import { maxWordWeight, scoreWords, type Words, wordsFrom, wordWeight } from '../bm25.ts'
import { createRecent } from '../recent.ts'
import type { Partition, PointReads } from './reads.ts'
import { pointId, slotOf } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'
import { createTopScores } from './top-scores.ts'

export type Selection = {
  readonly partition: Partition
  readonly within: Uint32Array | undefined
  readonly without: ReadonlySet<number>
}

type Ranked = readonly { readonly id: number; readonly score: number }[]
type WordScore = ReturnType<typeof scoreWords>
type FoundByWords = {
  readonly ranked: Ranked
  /** Takes any points of the partition. Keeps two numbers for each slot in memory. */
  readonly scoresOf: (ids: readonly number[]) => Map<number, WordScore>
}

/** A word with fewer points is read without checking whether it can still change the result. */
const fewPoints = 1_000
/** Points whose words are read one by one, beyond the limit, rather than the list of a frequent word. */
const margin = 64
/**
 * Points kept beyond the limit because they tie with the last, those of the lowest slots. Lengths count by class, so a
 * word can give hundreds of thousands of points one score.
 */
export const maxTies = 64
const slotsAtOnce = 65_536

/** Returns the `count` best selected slots, and up to `maxTies` that tie with the last. */
const bestOf = async (
  scores: Float64Array,
  { within, without }: Selection,
  count: number,
  slices: TimeSlices,
): Promise<Ranked> => {
  const top = createTopScores(count, maxTies)
  const length = within?.length ?? scores.length
  for (let position = 0; position < length; position += 1) {
    const slot = within ? within[position]! : position
    const score = scores[slot]!
    if (score > 0 && !without.has(slot)) top.add(slot, score)
    if (position % slotsAtOnce === slotsAtOnce - 1 && slices.isOver()) await slices.next()
  }
  return top.ranked()
}

/** Sums for each slot of a partition, in the precision and order of `scoreWords`: both ways give the same scores. */
class WordSums {
  readonly #reads: PointReads
  readonly #selection: Selection
  readonly #query: Words
  readonly #slices: TimeSlices
  readonly #scores: Float64Array
  readonly #matched: Float64Array

  constructor(reads: PointReads, selection: Selection, query: Words, slices: TimeSlices) {
    this.#reads = reads
    this.#selection = selection
    this.#query = query
    this.#slices = slices
    this.#scores = new Float64Array(selection.partition.slots)
    this.#matched = new Float64Array(selection.partition.slots)
  }

  async add({ lexeme, rarity }: Words['words'][number]): Promise<void> {
    const [scores, matched, { averageLength }] = [this.#scores, this.#matched, this.#query]
    for (const { count, lengthClass, slots } of this.#reads.postings(this.#selection.partition.id, lexeme).groups) {
      const weight = rarity * wordWeight(count, lengthClass, averageLength)
      for (const slot of slots) {
        scores[slot]! += weight
        matched[slot]! += rarity
      }
      if (this.#slices.isOver()) await this.#slices.next()
    }
  }

  /** Points that can be among the best `limit` if unread words add up to `rest`; undefined if they are many. */
  async candidates(limit: number, rest: number): Promise<readonly number[] | undefined> {
    const ranked = await this.best(limit + margin)
    const reached = ranked[limit - 1]?.score ?? 0
    const last = ranked.length < limit + margin ? 0 : (ranked.at(-1)?.score ?? 0)
    if (last + rest >= reached) return undefined
    return ranked.filter(({ score }) => score + rest >= reached).map(({ id }) => id)
  }

  async best(count: number): Promise<Ranked> {
    const ranked = await bestOf(this.#scores, this.#selection, count, this.#slices)
    return ranked.map(({ id: slot, score }) => ({ id: pointId(this.#selection.partition.id, slot), score }))
  }

  scoreOf(id: number): WordScore {
    const slot = slotOf(id)
    const { weight } = this.#query
    const matched = weight === 0 ? 0 : Math.min(1, (this.#matched[slot] ?? 0) / weight)
    return { bm25: this.#scores[slot] ?? 0, matched }
  }
}

/**
 * Sums up scores from the lists of points of the query's words, the rarest first. A long list that is not in memory is
 * not read if few points can still be among the best: their words are read instead.
 */
export class WordSearch {
  readonly #reads: PointReads
  readonly #recent: ReturnType<typeof createRecent<number>>

  /** `statisticsMs`: maximum age of word statistics. */
  constructor(reads: PointReads, statisticsMs: number) {
    this.#reads = reads
    this.#recent = createRecent<number>(statisticsMs)
  }

  async frequenciesOf({ id }: Partition, lexemes: Uint32Array, slices: TimeSlices) {
    const frequencies: [lexeme: number, frequency: number][] = []
    for (const lexeme of lexemes) {
      frequencies.push([lexeme, this.#recent(`${id} ${lexeme}`, () => this.#reads.postings(id, lexeme).points)])
      if (slices.isOver()) await slices.next()
    }
    return frequencies
  }

  async search(selection: Selection, lexemes: Uint32Array, limit: number, slices: TimeSlices): Promise<FoundByWords> {
    const { partition } = selection
    const query = await this.#wordsOf(partition, lexemes, slices)
    const sums = new WordSums(this.#reads, selection, query, slices)
    /** Largest sum of the weights of unread words in a point. */
    let rest = query.words.reduce((sum, { rarity }) => sum + rarity * maxWordWeight, 0)
    for (const [index, word] of query.words.entries()) {
      if (index > 0 && word.frequency > fewPoints && !this.#reads.hasPostings(partition.id, word.lexeme)) {
        const candidates = await sums.candidates(limit, rest)
        if (candidates) return this.#rankByOwnWords(candidates, query, limit)
      }
      await sums.add(word)
      rest -= word.rarity * maxWordWeight
    }
    const ranked = await sums.best(limit)
    return { ranked, scoresOf: (ids) => new Map(ids.map((id) => [id, sums.scoreOf(id)])) }
  }

  async #wordsOf(partition: Partition, lexemes: Uint32Array, slices: TimeSlices): Promise<Words> {
    const { id, points } = partition
    const frequencies = await this.frequenciesOf(partition, lexemes, slices)
    const averageLength = this.#recent(`${id}`, () => this.#reads.averageLength(partition))
    return wordsFrom(frequencies, { points, averageLength })
  }

  /** Reads the words of each candidate. */
  #rankByOwnWords(candidates: readonly number[], query: Words, limit: number): FoundByWords {
    const scoresRead = (ids: readonly number[]): Map<number, WordScore> => {
      const stored = this.#reads.lexemes(ids)
      return new Map(ids.map((id) => [id, scoreWords(query, stored.get(id))]))
    }
    const top = createTopScores(limit, maxTies)
    const known = scoresRead(candidates)
    for (const [id, { bm25 }] of known) if (bm25 > 0) top.add(id, bm25)
    const scoresOf = (ids: readonly number[]) => new Map([...scoresRead(ids.filter((id) => !known.has(id))), ...known])
    return { ranked: top.ranked(), scoresOf }
  }
}
