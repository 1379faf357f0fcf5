import { maxWordWeight, scoreWords, type Words, wordsFrom, wordWeight } from '../bm25.ts'
import { createRecent } from '../recent.ts'
import type { Partition, PointReads } from './reads.ts'
import { pointId } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'
import { createTopScores } from './top-scores.ts'

/** Points of a partition that may be found. */
export type Selection = {
  readonly partition: Partition
  /** Slots that pass the filter; undefined without a filter. */
  readonly within: Uint32Array | undefined
  /** Slots to ignore. */
  readonly without: ReadonlySet<number>
}

/** Points of a word up to which the word is read without checking whether it can still change the result. */
const fewPoints = 1_000
/** Number of points beyond the limit whose exact score is computed, because bounds are only estimates. */
const margin = 16

/**
 * Creates the search by words. Points are selected by upper bounds of their BM25, from the lists of points of the
 * query's words, the rarest first; a word of many points is not read if it can't move another point among the best. The
 * scores of selected points are computed from the points' lexemes, until no bound of another point reaches them.
 */
export const createWordSearch = (deps: {
  readonly reads: PointReads
  /** Maximum age of statistics, in milliseconds. */
  readonly statisticsMs: number
}) => {
  const { reads, statisticsMs } = deps
  const recent = createRecent<number>(statisticsMs)

  const wordsOf = async (partition: Partition, lexemes: Uint32Array, slices: TimeSlices): Promise<Words> => {
    const { id, points } = partition
    const frequencies: [number, number][] = []
    for (const lexeme of lexemes) {
      frequencies.push([lexeme, recent(`${id} ${lexeme}`, () => reads.postings(id, lexeme).points)])
      if (slices.isOver()) await slices.next()
    }
    const averageLength = recent(`${id}`, () => reads.averageLength(partition))
    return wordsFrom(frequencies, { points, averageLength })
  }

  /** Returns the best `limit` points of one partition by BM25, and all points that tie with the last. */
  const best = async (
    { partition, within, without }: Selection,
    wordsOfQuery: Words,
    limit: number,
    slices: TimeSlices,
  ): Promise<{ readonly id: number; readonly score: number }[]> => {
    const { averageLength, words } = wordsOfQuery
    const passes = within && new Set(within)
    const exact = new Map<number, number>()
    const score = (slots: readonly number[]): void => {
      const ids = slots.filter((slot) => !exact.has(slot)).map((slot) => pointId(partition.id, slot))
      const found = reads.lexemes(ids)
      for (const id of ids) exact.set(id - pointId(partition.id, 0), scoreWords(wordsOfQuery, found.get(id)).bm25)
    }
    const bounds = new Map<number, number>()
    /** Maximum that unread words can add to a bound. */
    let rest = words.reduce((sum, word) => sum + word.rarity * maxWordWeight, 0)
    const highest = (count: number) => {
      const top = createTopScores(count)
      for (const [slot, bound] of bounds) top.add(slot, bound)
      return top.ranked()
    }
    /** Returns the exact score that a point must reach to be among the best, as far as it is known. */
    const reached = (): number => {
      const scores = [...exact.values()].sort((a, b) => b - a)
      return scores[limit - 1] ?? 0
    }

    for (const { lexeme, frequency, rarity: weight } of words) {
      if (frequency > fewPoints && bounds.size >= limit) {
        score(highest(limit).map(({ id }) => id))
        if (rest < reached()) break
        if (slices.isOver()) await slices.next()
      }
      rest -= weight * maxWordWeight
      for (const { count, length, slots } of reads.postings(partition.id, lexeme).groups) {
        const max = weight * wordWeight(count, length, averageLength)
        for (const slot of slots) {
          if (without.has(slot) || (passes && !passes.has(slot))) continue
          bounds.set(slot, (bounds.get(slot) ?? 0) + max)
        }
        if (slices.isOver()) await slices.next()
      }
    }
    for (let count = limit + margin; ; count *= 2) {
      const ranked = highest(count)
      score(ranked.map(({ id }) => id))
      const next = ranked.length < bounds.size ? (ranked.at(-1)?.score ?? 0) + rest : 0
      if (ranked.length === bounds.size || next < reached()) break
      if (slices.isOver()) await slices.next()
    }
    const top = createTopScores(limit)
    for (const [slot, value] of exact) if (value > 0) top.add(pointId(partition.id, slot), value)
    return top.ranked()
  }

  return { wordsOf, best }
}
