/** Returns the list with the value appended, or removed if `isChosen` is false. */
export const toggle = <T>(list: readonly T[], value: T, isChosen: boolean): readonly T[] => {
  const others = list.filter((each) => each !== value)
  return isChosen ? [...others, value] : others
}

/** Returns the list with some fields of one of its entries changed. */
export const changeAt = <T extends object>(list: readonly T[], index: number, part: Partial<T>): readonly T[] =>
  list.map((each, at) => (at === index ? { ...each, ...part } : each))
