const minLength = 5
const word = /[\p{L}\p{M}]{5,64}/gu

/** Most words of texts that are compared with those of a question. */
const maxWords = 5_000

/** Adds the words of a text, in lower case, to `found`; only those of five letters and more. */
export const addWords = (text: string, found: Set<string>): void => {
  for (const [one] of text.matchAll(word)) {
    if (found.size >= maxWords) return
    found.add(one.toLowerCase())
  }
}

/**
 * Whether two words differ by one letter that is missing or added, by two neighbors that changed places, or, if not
 * `isName`, by one other letter: Jansen is not Hansen.
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

/** Matches an ending by which two forms of a name may differ, as in Germany and German; Nigeria is no form of Niger. */
const ending = /^(?:y|n|an|er|en|e?s)$/

const isForm = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= minLength && long.startsWith(short) && ending.test(long.slice(short.length))
}

type Like = { readonly isName: boolean; readonly isAbsent: boolean }

/**
 * Returns the words that may stand for one of a question: forms of a name, and, if no document has the word, what differs
 * from it as by one slip of typing.
 */
export const similarWords = (text: string, { isName, isAbsent }: Like, words: ReadonlySet<string>): string[] => {
  const plain = text.toLowerCase()
  if (plain.length < minLength) return []
  return [...words].filter((one) => (isName && isForm(plain, one)) || (isAbsent && isMistyped(plain, one, isName)))
}
