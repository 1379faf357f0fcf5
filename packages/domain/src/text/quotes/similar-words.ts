const minLength = 5
const word = /[\p{L}\p{M}]{5,64}/gu

/** Most words of texts that are compared. */
const maxWords = 5_000

/** Adds words in lower case; only those of five letters and more. */
export const addWords = (text: string, found: Set<string>): void => {
  for (const [one] of text.matchAll(word)) {
    if (found.size >= maxWords) return
    found.add(one.toLowerCase())
  }
}

/**
 * Allows one letter missing or added, two neighbors switched, or, unless `isName`, one other letter: Jansen is not
 * Hansen.
 */
const isMistyped = (a: string, b: string, isName: boolean): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end++
  const [restA, restB] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  if (restA.length <= 1 && restB.length <= 1) return !isName || restA.length !== restB.length
  return restA.length === 2 && restA === [...restB].reverse().join('')
}

/** Two forms of a name, as Germany and German; Nigeria is no form of Niger. */
const ending = /^(?:y|n|an|er|en|e?s)$/

const isForm = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= minLength && long.startsWith(short) && ending.test(long.slice(short.length))
}

type Like = { readonly isName: boolean; readonly isAbsent: boolean }

/** Forms of a name and, if no document has the word, what one slip of typing makes of it. */
export const similarWords = (text: string, { isName, isAbsent }: Like, words: ReadonlySet<string>): string[] => {
  const plain = text.toLowerCase()
  if (plain.length < minLength) return []
  return [...words].filter((one) => (isName && isForm(plain, one)) || (isAbsent && isMistyped(plain, one, isName)))
}
