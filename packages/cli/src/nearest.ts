/** A longer word is not a misspelled name. */
const maxLength = 40

/** Characters to insert, remove, replace or swap with a neighbor. */
const distance = (from: string, to: string): number => {
  let [beforeLast, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const costs = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1)]
      row.push(Math.min(...costs, ...(isSwap ? [(beforeLast[j - 2] ?? 0) + 1] : [])))
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[to.length] ?? 0
}

/** Returns undefined if no name is similar. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => {
  if (word.length > maxLength) return undefined
  let best: { readonly name: string; readonly cost: number } | undefined
  for (const name of names) {
    const cost = word.length > 1 && name.startsWith(word) ? 1 : distance(word, name)
    if (cost <= Math.max(1, Math.floor(name.length / 3)) && cost < (best?.cost ?? Number.POSITIVE_INFINITY))
      best = { name, cost }
  }
  return best?.name
}
