/** Returns the index of the first of the ascending numbers that is at least `value`, or their length. */
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
