type Scores = Float32Array | Float64Array

/** Reorders `scores`. */
const selectScore = (scores: Scores, count: number): number => {
  let low = 0
  let high = scores.length - 1
  const target = count - 1
  while (low < high) {
    const pivot = scores[(low + high) >> 1]!
    let i = low
    let j = high
    while (i <= j) {
      while (scores[i]! > pivot) i++
      while (scores[j]! < pivot) j--
      if (i <= j) {
        const swapped = scores[i]!
        scores[i++] = scores[j]!
        scores[j--] = swapped
      }
    }
    if (target <= j) high = j
    else if (target >= i) low = i
    else break
  }
  return scores[target] as number
}

/** Returns -Infinity if there are fewer scores. */
export const scoreAt = (scores: Scores, count: number): number =>
  count > scores.length ? Number.NEGATIVE_INFINITY : selectScore(scores.slice(), count)

/** Returns the best first, with all ties with the last one. Scores must not be NaN. */
export const bestPositions = (scores: Scores, count: number): Uint32Array => {
  const cut = scoreAt(scores, count)
  const positions: number[] = []
  for (let position = 0; position < scores.length; position++) if (scores[position]! >= cut) positions.push(position)
  return Uint32Array.from(positions.sort((a, b) => scores[b]! - scores[a]!))
}

/** Estimated cosines, except for a few with a large error. */
const [lowest, highest] = [-1.25, 1.25]
const buckets = 4_096
const bucketsPerUnit = buckets / (highest - lowest)

/**
 * A threshold that at least `count` of the estimates (at the positions `within`, or all) reach, and few more, as
 * precisely as a histogram allows; the lowest number if there are fewer. Takes half the time of `scoreAt`.
 */
export const cutOf = (estimates: Float32Array, within: Uint32Array | undefined, count: number): number => {
  const histogram = new Uint32Array(buckets)
  const length = within?.length ?? estimates.length
  for (let position = 0; position < length; position++) {
    const bucket = (estimates[within === undefined ? position : within[position]!]! - lowest) * bucketsPerUnit
    if (bucket >= 0) histogram[bucket < buckets ? bucket | 0 : buckets - 1]!++
  }
  let reached = 0
  for (let bucket = buckets - 1; bucket >= 0; bucket--) {
    reached += histogram[bucket]!
    // A little below the start of the bucket, because of rounding.
    if (reached >= count) return lowest + (bucket - 0.01) / bucketsPerUnit
  }
  return -Number.MAX_VALUE
}
