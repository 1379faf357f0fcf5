type Scores = Float32Array | Float64Array

/** Returns the `count`-th best score; reorders `scores`. */
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

/** Returns the `count`-th best score, or -Infinity if there are fewer. */
export const scoreAt = (scores: Scores, count: number): number =>
  count > scores.length ? Number.NEGATIVE_INFINITY : selectScore(scores.slice(), count)

/**
 * Returns the positions of the best `count` scores, best first, including all ties with the last one. Scores must not
 * be NaN.
 */
export const bestPositions = (scores: Scores, count: number): Uint32Array => {
  const cut = scoreAt(scores, count)
  const positions: number[] = []
  for (let position = 0; position < scores.length; position++) if (scores[position]! >= cut) positions.push(position)
  return Uint32Array.from(positions.sort((a, b) => scores[b]! - scores[a]!))
}
