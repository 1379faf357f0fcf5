/** Returns the median: of an even number of values the upper middle one, 0 without values. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
