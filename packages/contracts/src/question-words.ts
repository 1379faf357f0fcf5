/** English words that say nothing about a question's subject. */
const functionWords: ReadonlySet<string> = new Set(
  `a am an and are as at be been but by can could did do does for from get had has have how i if in into is it its many
  me much my no not of on or our shall should so than that the their them then there these they this those to us was we
  were what when where which who whom whose why will with would you your`.split(/\s+/),
)

/** Whether a word, in any case, says nothing about a subject. */
export const isFunctionWord = (word: string): boolean => functionWords.has(word.toLowerCase())

/**
 * Returns the words of a question that name its subject: the question without English function words, or unchanged if
 * it has no other words.
 */
export const subjectOf = (question: string): string => {
  const words = question.split(/\s+/).filter((word) => !isFunctionWord(word.replace(/[^\p{L}\p{N}]/gu, '')))
  return words.some((word) => /[\p{L}\p{N}]/u.test(word)) ? words.join(' ') : question
}
