/** Returns the index of the first of these ascending numbers that is `value` or more; their length if there is none. */
export const lowerBound = (numbers: Uint32Array, value: number): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
