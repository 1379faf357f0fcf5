import { bestPositions, scoreAt } from './best-scores.ts'

/** Collects scored ids of any number and keeps the best ones. */
export type TopScores = {
  add(id: number, score: number): void
  /** The `count`-th best so far, -Infinity where there are fewer; `count` is at most what is kept. */
  scoreAt(count: number): number
  /** Best first: the number to keep, and every one that ties with the last of them. */
  ranked(): { readonly id: number; readonly score: number }[]
}

export const createTopScores = (keep: number): TopScores => {
  let ids = new Float64Array(Math.max(64, keep * 2))
  let scores = new Float64Array(ids.length)
  let length = 0
  /** Below it nothing can be among the best any more. */
  let floor = Number.NEGATIVE_INFINITY

  const resized = (from: Float64Array, size: number): Float64Array<ArrayBuffer> => {
    const to = new Float64Array(size)
    to.set(from.subarray(0, length))
    return to
  }

  const makeRoom = (): void => {
    const positions = bestPositions(scores.subarray(0, length), keep).sort()
    positions.forEach((from, to) => {
      ids[to] = ids[from]!
      scores[to] = scores[from]!
    })
    length = positions.length
    floor = scoreAt(scores.subarray(0, length), Math.min(keep, length))
    // Ties with the last one stay: where they fill the room, it must grow, or each addition would come here.
    if (length > ids.length / 2) {
      const size = ids.length * 2
      ids = resized(ids, size)
      scores = resized(scores, size)
    }
  }

  return {
    add: (id, score) => {
      if (score < floor) return
      if (length === ids.length) makeRoom()
      ids[length] = id
      scores[length++] = score
    },
    scoreAt: (count) => scoreAt(scores.subarray(0, length), count),
    ranked: () => {
      const held = scores.subarray(0, length)
      return Array.from(bestPositions(held, keep), (position) => ({ id: ids[position] as number, score: held[position] as number }))
    },
  }
}
