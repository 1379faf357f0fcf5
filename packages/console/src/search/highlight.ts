export type TextRange = { readonly start: number; readonly end: number }
/** `marked`: best sentence; `word`: word of the query in it; `passage`: shown, not marked; `cut`: left out. */
export type Piece = { readonly text: string; readonly kind: 'plain' | 'passage' | 'marked' | 'word' | 'cut' }

/** UTF-16 units that are searched for a sentence if the server names no passage. */
const searchedLength = 20_000
/** They say nothing about a text and are frequent in questions. */
const functionWords = new Set(
  'a about an and are as at be by can did do does for from had has have how i in is it its my of on or our so that the their there these they this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
)
const endings = /(?:ing|ed|es|s|e)$/

const fold = (word: string): string => word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
const stem = (word: string): string => {
  const folded = fold(word)
  const cut = folded.replace(endings, '')
  return cut.length >= 3 ? cut : folded
}

type Word = { readonly stem: string; readonly start: number; readonly end: number }

const wordsOf = (text: string): Word[] =>
  Array.from(new Intl.Segmenter('und', { granularity: 'word' }).segment(text)).flatMap(
    ({ segment, index, isWordLike }) =>
      isWordLike ? [{ stem: stem(segment), start: index, end: index + segment.length }] : [],
  )

const stemsOf = (query: string): ReadonlySet<string> => {
  const text = query.replaceAll(/(?:^|\s)#\S+/g, ' ')
  const words = wordsOf(text)
  const telling = words.filter((word) => !functionWords.has(fold(text.slice(word.start, word.end))))
  return new Set((telling.length > 0 ? telling : words).map((word) => word.stem))
}

/** Converts code points, which the API counts, to UTF-16 units. */
const inUnits = (text: string, ranges: readonly TextRange[]): TextRange[] => {
  const offsets = [0]
  for (const point of text) offsets.push((offsets.at(-1) ?? 0) + point.length)
  const offsetOf = (count: number) => offsets[count] ?? text.length
  return ranges.map(({ start, end }) => ({ start: offsetOf(start), end: offsetOf(end) }))
}

const sentencesIn = (text: string, { start, end }: TextRange): TextRange[] => {
  const sentences: TextRange[] = []
  for (const { segment, index } of new Intl.Segmenter('und', { granularity: 'sentence' }).segment(
    text.slice(start, end),
  )) {
    // A line end ends a heading or a list item.
    for (const { 0: line, index: offset } of segment.matchAll(/[^\n]+/g)) {
      const from = start + index + offset
      sentences.push({ start: from + line.length - line.trimStart().length, end: from + line.trimEnd().length })
    }
  }
  return sentences.filter((sentence) => sentence.end > sentence.start)
}

const bestSentence = (text: string, within: readonly TextRange[], stems: ReadonlySet<string>) => {
  let best: { readonly sentence: TextRange; readonly words: readonly Word[]; readonly count: number } | undefined
  for (const sentence of within.flatMap((range) => sentencesIn(text, range))) {
    const words = wordsOf(text.slice(sentence.start, sentence.end)).filter((word) => stems.has(word.stem))
    const count = new Set(words.map((word) => word.stem)).size
    if (count > (best?.count ?? 0)) best = { sentence, words, count }
  }
  return best
}

const cut = (text: string, marks: readonly (TextRange & { readonly kind: Piece['kind'] })[]): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  const add = (to: number, kind: Piece['kind']) => {
    if (to > from) pieces.push({ text: text.slice(from, to), kind })
    from = Math.max(from, to)
  }
  for (const { start, end, kind } of [...marks].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue
    add(start, 'plain')
    add(end, kind)
  }
  add(text.length, 'plain')
  return pieces
}

/** UTF-16 units of an answer that may be one quote; a longer one was written by a model. */
const longestQuote = 2_000

const wordsPattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(/\s+/g, '\\s+')

/** Matches a quote whatever is between its words: sources put cells in lines or between `|`, some unnamed. */
const quotePattern = (quote: string): RegExp => {
  // A cell without letters or digits would make the pattern ambiguous, and slow.
  const cells = quote.split(/ – |; /).filter((cell) => /[\p{L}\p{N}]/u.test(cell))
  const patterns = cells.map((cell) => {
    const [, name = '', value = cell] = /^([^:]{1,60}: )(.+)$/s.exec(cell) ?? []
    return `(?:${wordsPattern(name)})?${wordsPattern(value.trim())}`
  })
  return new RegExp(patterns.join('[\\s;–|]+'))
}

/** Marks all of an answer in a source, or the sentences that are there. */
export const markQuotes = (text: string, answer: string): readonly Piece[] => {
  const find = (quote: string): TextRange[] => {
    const found = quotePattern(quote).exec(text)
    return found ? [{ start: found.index, end: found.index + found[0].length }] : []
  }
  const whole = answer.length <= longestQuote ? find(answer) : []
  const sentences = () => sentencesIn(answer, { start: 0, end: answer.length })
  const marks = whole.length > 0 ? whole : sentences().flatMap(({ start, end }) => find(answer.slice(start, end)))
  return cut(
    text,
    marks.map((mark) => ({ ...mark, kind: 'marked' })),
  )
}

/**
 * Marks the sentence with the most words of the query within the best passages. If none has such a word, the passages
 * are shown unmarked.
 */
export const highlight = (text: string, passages: readonly TextRange[], query: string): readonly Piece[] => {
  const ranges = inUnits(text, passages)
  const best = bestSentence(
    text,
    ranges.length > 0 ? ranges : [{ start: 0, end: Math.min(text.length, searchedLength) }],
    stemsOf(query),
  )
  if (!best)
    return cut(
      text,
      ranges.map((range) => ({ ...range, kind: 'passage' })),
    )
  const { sentence, words } = best
  const within = cut(
    text.slice(sentence.start, sentence.end),
    // A page with thousands of marks would respond slowly.
    words.slice(0, 200).map((word) => ({ ...word, kind: 'word' })),
  ).map((piece): Piece => (piece.kind === 'plain' ? { ...piece, kind: 'marked' } : piece))
  return [...cut(text.slice(0, sentence.start), []), ...within, ...cut(text.slice(sentence.end), [])]
}

const longestPassage = 600

export const shorten = (pieces: readonly Piece[], around = 160): readonly Piece[] =>
  pieces.flatMap((piece, index) => {
    const { kind, text } = piece
    const without = (start: number, end: number) => cut(text, [{ start, end, kind: 'cut' }])
    if (kind === 'passage' || (kind === 'plain' && pieces.length === 1)) return without(longestPassage, text.length)
    if (kind !== 'plain' || text.length <= around * 2) return piece
    return without(index === 0 ? 0 : around, text.length - (index === pieces.length - 1 ? 0 : around))
  })
