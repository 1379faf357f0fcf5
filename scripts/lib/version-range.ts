type Version = readonly [number, number, number]

const numbersOf = (version: string): Version => {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(version)
  if (!found) throw new Error(`${version} is not a version`)
  return [Number(found[1]), Number(found[2]), Number(found[3])]
}

const compare = (left: Version, right: Version): number =>
  left[0] - right[0] || left[1] - right[1] || left[2] - right[2]

const holds = (version: Version, condition: string): boolean => {
  const found = /^(<=|>=|<|>|=)?(\d+\.\d+\.\d+)$/.exec(condition)
  if (!found?.[2]) throw new Error(`${condition} is not a condition such as <1.2.3`)
  const difference = compare(version, numbersOf(found[2]))
  switch (found[1]) {
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
    default:
      return difference === 0
  }
}

/**
 * Whether `version` is in `range`: `*`, or alternatives separated by `||`, each a list of `<1.2.3`, `>=1.2.3` and so on.
 * A pre-release counts as its release.
 */
export const isInRange = (version: string, range: string): boolean => {
  if (range.trim() === '*') return true
  const numbers = numbersOf(version)
  return range.split('||').some((alternative) =>
    alternative
      .trim()
      .split(/\s+/)
      .every((condition) => holds(numbers, condition)),
  )
}
