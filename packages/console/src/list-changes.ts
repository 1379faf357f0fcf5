export const toggle = <T>(list: readonly T[], value: T, isChosen: boolean): readonly T[] => {
  const others = list.filter((each) => each !== value)
  return isChosen ? [...others, value] : others
}

export const changeAt = <T extends object>(list: readonly T[], index: number, part: Partial<T>): readonly T[] =>
  list.map((each, at) => (at === index ? { ...each, ...part } : each))
