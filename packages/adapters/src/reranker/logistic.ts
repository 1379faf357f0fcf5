/** Maps any number to 0 to 1 and preserves the order. */
export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))
