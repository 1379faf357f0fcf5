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

/**
 * Sums up scores from the lists of points of the query's words, the rarest first. A long list that is not in memory is
 * not read if few points can still be among the best: their words are read instead.
 */
export const createWordSearch = (deps: {
  readonly reads: PointReads
  /** Maximum age of word statistics. */
  readonly statisticsMs: number
}) => {
  const { reads, statisticsMs } = deps
  const recent = createRecent<number>(statisticsMs)

  const frequenciesOf = async ({ id }: Partition, lexemes: Uint32Array, slices: TimeSlices) => {
    const frequencies: [lexeme: number, frequency: number][] = []
    for (const lexeme of lexemes) {
      frequencies.push([lexeme, recent(`${id} ${lexeme}`, () => reads.postings(id, lexeme).points)])
      if (slices.isOver()) await slices.next()
    }
    return frequencies
  }

  const wordsOf = async (partition: Partition, lexemes: Uint32Array, slices: TimeSlices): Promise<Words> => {
    const { id, points } = partition
    const frequencies = await frequenciesOf(partition, lexemes, slices)
    const averageLength = recent(`${id}`, () => reads.averageLength(partition))
    return wordsFrom(frequencies, { points, averageLength })
  }

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

  const search = async (
    selection: Selection,
    lexemes: Uint32Array,
    limit: number,
    slices: TimeSlices,
  ): Promise<FoundByWords> => {
    const { partition } = selection
    const { id: partitionId } = partition
    const query = await wordsOf(partition, lexemes, slices)
    const { averageLength, words, weight: total } = query
    // In the precision and the order of `scoreWords`, so that both ways give a point the same scores.
    const scores = new Float64Array(partition.slots)
    const matched = new Float64Array(partition.slots)

    const add = async (lexeme: number, rarity: number): Promise<void> => {
      for (const { count, lengthClass, slots } of reads.postings(partitionId, lexeme).groups) {
        const weight = rarity * wordWeight(count, lengthClass, averageLength)
        for (const slot of slots) {
          scores[slot]! += weight
          matched[slot]! += rarity
        }
        if (slices.isOver()) await slices.next()
      }
    }

    const scoresRead = (ids: readonly number[]): Map<number, WordScore> => {
      const stored = reads.lexemes(ids)
      return new Map(ids.map((id) => [id, scoreWords(query, stored.get(id))]))
    }

    /** Points that can be among the best if unread words add up to `rest`; undefined if they are many. */
    const candidatesAt = async (rest: number): Promise<readonly number[] | undefined> => {
      const ranked = await bestOf(scores, selection, limit + margin, slices)
      const reached = ranked[limit - 1]?.score ?? 0
      const last = ranked.length < limit + margin ? 0 : (ranked.at(-1)?.score ?? 0)
      if (last + rest >= reached) return undefined
      return ranked.filter(({ score }) => score + rest >= reached).map(({ id: slot }) => pointId(partitionId, slot))
    }

    /** Largest sum of the weights of unread words in a point. */
    let rest = words.reduce((sum, { rarity }) => sum + rarity * maxWordWeight, 0)
    for (const [index, { lexeme, frequency, rarity }] of words.entries()) {
      if (index > 0 && frequency > fewPoints && !reads.hasPostings(partitionId, lexeme)) {
        const candidates = await candidatesAt(rest)
        if (candidates) {
          const top = createTopScores(limit, maxTies)
          const known = scoresRead(candidates)
          for (const [id, { bm25 }] of known) if (bm25 > 0) top.add(id, bm25)
          const scoresOf = (ids: readonly number[]) =>
            new Map([...scoresRead(ids.filter((id) => !known.has(id))), ...known])
          return { ranked: top.ranked(), scoresOf }
        }
      }
      await add(lexeme, rarity)
      rest -= rarity * maxWordWeight
    }
    const ranked = await bestOf(scores, selection, limit, slices)
    const scoreOf = (id: number): WordScore => {
      const slot = slotOf(id)
      return { bm25: scores[slot] ?? 0, matched: total === 0 ? 0 : Math.min(1, (matched[slot] ?? 0) / total) }
    }
    return {
      ranked: ranked.map(({ id: slot, score }) => ({ id: pointId(partitionId, slot), score })),
      scoresOf: (ids) => new Map(ids.map((id) => [id, scoreOf(id)])),
    }
  }

  return { search, frequenciesOf }
}
