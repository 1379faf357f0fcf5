/** Returns the median: the upper one of an even number of values, 0 for none. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
