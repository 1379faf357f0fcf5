/**
 * Returns the weight of a word that is in `frequency` of a namespace's `points`. The weight is always positive, even if
 * the two numbers were counted at different times.
 */
export const rarity = (points: number, frequency: number): number =>
  Math.log(1 + (Math.max(0, points - frequency) + 0.5) / (frequency + 0.5))
