const table = [
  [0.894, 'Close Match'],
  [0.632, 'Very High Relevance'],
  [0.447, 'High Relevance'],
  [0.316, 'Good Relevance'],
  [0.224, 'Low Relevance'],
  [0.1, 'Very Low Relevance'],
] as const
const below = 'Irrelevant'

export type ScoreLabel = (typeof table)[number][1] | typeof below
export const scoreLabels: readonly ScoreLabel[] = [...table.map(([, label]) => label), below]

/** Converts a cosine to the published score: 0 to 1, six decimals, to which thresholds and labels apply. */
export const scoreOf = (cosine: number): number => Math.round(Math.min(1, Math.max(0, cosine)) * 1e6) / 1e6

/** Gives a score equal to a bound the higher label. */
export const labelOf = (score: number): ScoreLabel => table.find(([bound]) => score >= bound)?.[1] ?? below
