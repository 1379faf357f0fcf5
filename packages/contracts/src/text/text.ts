const surrogate = /[\ud800-\udfff]/
const encoder = new TextEncoder()

/** Returns the unit of every text limit; a lone surrogate counts as one code point. */
export const codePointLength = (text: string): number => {
  // Searching for a surrogate costs a fraction of iterating, and most texts have none.
  const first = text.search(surrogate)
  if (first < 0) return text.length
  let length = first
  for (let index = first; index < text.length; index += 1) {
    if ((text.codePointAt(index) as number) > 0xffff) index += 1
    length += 1
  }
  return length
}

export const codePointsBetween = (text: string, from: number, to: number): string => {
  let index = 0
  let start = text.length
  for (let point = 0; point < to && index < text.length; point += 1) {
    if (point === from) start = index
    index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1
  }
  return text.slice(start, index)
}

export const utf8Length = (text: string): number => encoder.encode(text).length

const hyphenOrSpace = /[\s\u002d\u2010\u2011]/gu

// Sound marks of halfwidth Japanese are letters that become combining marks in NFKC.
const longMarks = /[[\p{M}\uff9e\uff9f]--\u034f]{30}(?=[[\p{M}\uff9e\uff9f]--\u034f])/gv
const marksEnd = '\u034f'

/**
 * Ends rows of combining marks after 30, as in Unicode's stream-safe text format: normalization sorts each row in
 * quadratic time, and no language has longer ones.
 */
export const withShortMarks = (text: string): string => text.replace(longMarks, `$&${marksEnd}`)

/**
 * Returns the form in which texts are compared: without case, composed and decomposed alike. Lone surrogates become
 * U+FFFD. Folding joined strings gives the joined results, unless the characters at a boundary compose or form a
 * surrogate pair.
 */
export const fold = (text: string): string =>
  // Upper case maps ß and SS to one form, but keeps ẞ unless it is lowered first. Only final sigma has a lower case
  // that depends on the next letter.
  withShortMarks(text.toWellFormed())
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')

/** Returns the form of keys and values of filters: each hyphen, space or control character becomes one space. */
export const foldLoosely = (text: string): string =>
  fold(text)
    .replaceAll(hyphenOrSpace, ' ')
    .replaceAll(/\p{Cc}/gu, ' ')
