const surrogate = /[\ud800-\udfff]/
const encoder = new TextEncoder()

/** Length in Unicode code points, the one unit of every text limit; a lone surrogate counts as one. */
export const codePointLength = (text: string): number => {
  // Most texts hold no surrogate at all, and the search for one is a fraction of the cost of walking the text.
  const first = text.search(surrogate)
  if (first < 0) return text.length
  let length = first
  for (let index = first; index < text.length; index += 1) {
    if ((text.codePointAt(index) as number) > 0xffff) index += 1
    length += 1
  }
  return length
}

/** Length in bytes of UTF-8. */
export const utf8Length = (text: string): number => encoder.encode(text).length

const hyphenOrSpace = /[\s\u002d\u2010\u2011]/gu

/**
 * The form in which letters are compared: case apart, composed and decomposed spellings alike. Lone surrogates become U+FFFD.
 * It is the same for a part as within the whole (no look at neighbours), so joined and single strings fold alike.
 */
export const fold = (text: string): string =>
  // Upper case makes ß and SS meet, but leaves the capital ẞ alone unless it is lowered first.
  // The final sigma is the one letter whose lower case depends on what follows.
  text.toWellFormed().normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** `fold`, and each hyphen, space or control character is one space: how keys and values of filters are compared. */
export const foldLoosely = (text: string): string =>
  fold(text)
    .replaceAll(hyphenOrSpace, ' ')
    .replaceAll(/\p{Cc}/gu, ' ')
