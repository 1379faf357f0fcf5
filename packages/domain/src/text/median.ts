/** Returns the upper middle one of an even number of values; 0 without values. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
