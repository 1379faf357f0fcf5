/** No blanks between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u
/** Characters in words, numbers, identifiers, paths and URLs. */
const joining = /[\p{L}\p{N}\p{M}\p{Pc}\p{Pd}./|\\:@'’+&=?%#~$*]/u
/** Characters between items of a list. Unicode segmentation finds no boundary in `9,5`, which may be one number. */
const separators = /[,;|،؛٬，；]/
/** A word that is too long is cut after these, preferred ones first. */
const seams = [/[|/\\&=?:@+#%~$*]/, /[\p{Pc}\p{Pd}.]/u]

/** UTF-16 units before the limit that are searched first. */
const firstWindow = 2_048
/** UTF-16 units searched for the start of a grapheme, which has no maximum length. */
const graphemeWindow = 256

/** Created on first use: an idle process should not load its data. */
const segmenterOf = (granularity: 'word' | 'grapheme') => {
  let segmenter: Intl.Segmenter | undefined
  return (text: string): Intl.Segments => {
    segmenter ??= new Intl.Segmenter('und', { granularity })
    return segmenter.segment(text)
  }
}
const wordsOf = segmenterOf('word')
const graphemesOf = segmenterOf('grapheme')

const before = (text: string, index: number): string => {
  const code = text.charCodeAt(index - 1)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? index - 2 : index - 1, index)
}
const after = (text: string, index: number): string => String.fromCodePoint(text.codePointAt(index) ?? 0)
const joins = (character: string): boolean => joining.test(character) && !unspaced.test(character)

/** Takes `item-01554` for one word. */
export const isWithinWord = (text: string, index: number): boolean =>
  index > 0 && index < text.length && joins(before(text, index)) && joins(after(text, index))

/** `within`: best cut of a longer word, at a seam, else between segments. */
const bordersIn = (text: string, from: number, limit: number) => {
  const best: (number | undefined)[] = []
  const middle = from + (limit - from) / 2
  for (const { index } of wordsOf(text.slice(from, limit + graphemeWindow))) {
    const position = from + index
    if (position > limit) break
    if (position === from) continue
    if (!isWithinWord(text, position)) best[0] = position
    if (position < middle) continue
    const seam = seams.findIndex((one) => one.test(before(text, position)))
    best[seam < 0 ? seams.length + 1 : seam + 1] = position
  }
  return { whole: best[0], within: best.slice(1).find((index) => index !== undefined) }
}

/** Returns the position after the last separator of a list without blanks. */
const itemBorder = (text: string, from: number, limit: number): number | undefined => {
  for (let index = limit; index > from; index -= 1) if (separators.test(text.charAt(index - 1))) return index
  return undefined
}

const graphemeBorder = (text: string, from: number, limit: number): number => {
  const start = Math.max(from, limit - graphemeWindow)
  let border: number | undefined
  for (const { index } of graphemesOf(text.slice(start, limit + graphemeWindow)))
    if (index > 0 && start + index <= limit) border = start + index
  if (border !== undefined) return border
  const code = text.charCodeAt(limit)
  return code >= 0xdc00 && code <= 0xdfff && limit - 1 > from ? limit - 1 : limit
}

/**
 * Returns the last cut after `from` and up to `limit` that is not within a word (Unicode's segmentation in scripts
 * without blanks) or an item of a list. A longer word is cut, but not within a grapheme of fewer than 256 UTF-16 units.
 */
export const wordBorder = (text: string, from: number, limit: number): number => {
  if (limit >= text.length) return text.length
  for (let window = firstWindow; ; window *= 8) {
    const start = Math.max(from, limit - window)
    const { whole, within } = bordersIn(text, start, limit)
    if (whole !== undefined) return whole
    if (start === from) return itemBorder(text, from, limit) ?? within ?? graphemeBorder(text, from, limit)
  }
}
