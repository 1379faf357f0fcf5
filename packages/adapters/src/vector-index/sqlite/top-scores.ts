import { bestPositions, scoreAt } from './best-scores.ts'

/** Keeps the best `keep` ids, and up to `maxTies` more that tie with the last. */
export const createTopScores = (keep: number, maxTies = Number.POSITIVE_INFINITY) => {
  let ids = new Float64Array(Math.max(64, keep * 2))
  let scores = new Float64Array(ids.length)
  let length = 0
  /** Lower scores can no longer be among the best. */
  let floor = Number.NEGATIVE_INFINITY

  const resize = (from: Float64Array, size: number): Float64Array<ArrayBuffer> => {
    const to = new Float64Array(size)
    to.set(from.subarray(0, length))
    return to
  }

  const dropLowest = (): void => {
    const positions = bestPositions(scores.subarray(0, length), keep)
      .subarray(0, keep + maxTies)
      .sort()
    positions.forEach((from, to) => {
      ids[to] = ids[from]!
      scores[to] = scores[from]!
    })
    length = positions.length
    floor = scoreAt(scores.subarray(0, length), Math.min(keep, length))
    // Ties with the last score are kept. If they fill the capacity, it grows; otherwise each addition would compact.
    if (length > ids.length / 2) {
      const size = ids.length * 2
      ids = resize(ids, size)
      scores = resize(scores, size)
    }
  }

  return {
    add: (id: number, score: number): void => {
      if (score < floor) return
      if (length === ids.length) dropLowest()
      ids[length] = id
      scores[length++] = score
    },
    /** Returns -Infinity if there are fewer scores. `count` must not exceed `keep`. */
    scoreAt: (count: number): number => scoreAt(scores.subarray(0, length), count),
    /** Returns the best first; ties with the last are in the order of `add`. */
    ranked: (): { readonly id: number; readonly score: number }[] => {
      const held = scores.subarray(0, length)
      return Array.from(bestPositions(held, keep).subarray(0, keep + maxTies), (position) => ({
        id: ids[position] as number,
        score: held[position] as number,
      }))
    },
  }
}

export type TopScores = ReturnType<typeof createTopScores>
