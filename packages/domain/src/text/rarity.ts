/** Returns the weight of a word in `frequency` of `points`; positive even if counted at different times. */
export const rarity = (points: number, frequency: number): number =>
  Math.log(1 + (Math.max(0, points - frequency) + 0.5) / (frequency + 0.5))
