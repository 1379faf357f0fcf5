/** Maps any number to 0 to 1, in the same order. */
export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))
