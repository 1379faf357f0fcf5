/** Scripts without blanks, in which each character is a token. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{sc=${script}}`)
  .join('')
const single = `[${unspaced}\\p{Extended_Pictographic}]`
const first = `[[\\p{L}\\p{N}]--[${unspaced}]]`
const further = `[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]`
/** A longer word becomes several tokens, so that a text of one endless word has many. */
const maxLength = 32
const token = new RegExp(`${single}|${first}${further}{0,${maxLength - 1}}`, 'gv')
const [singlePattern, firstPattern, furtherPattern] = [single, first, further].map(
  (set) => new RegExp(`^${set}$`, 'v'),
) as [RegExp, RegExp, RegExp]

const isSingle = 1
const isFirst = 2
const isFurther = 4

/** Flags of each UTF-16 unit, in pages of 256 created on first use. */
const pages: (Uint8Array | undefined)[] = []

const pageOf = (number: number): Uint8Array =>
  (pages[number] ??= Uint8Array.from({ length: 256 }, (_, index) => {
    const character = String.fromCharCode(number * 256 + index)
    const is = (pattern: RegExp, flag: number) => (pattern.test(character) ? flag : 0)
    return is(singlePattern, isSingle) | is(firstPattern, isFirst) | is(furtherPattern, isFurther)
  }))

const flagsOf = (unit: number): number => pageOf(unit >> 8)[unit & 255] as number

type Visit = (from: number, to: number, alone: boolean) => void

/** Finds the tokens of the pattern, much faster, in texts whose characters are all one UTF-16 unit. */
const scan = (text: string, visit: Visit): void => {
  for (let index = 0; index < text.length; ) {
    const from = index
    const flags = flagsOf(text.charCodeAt(index++))
    if (flags & isSingle) visit(from, index, true)
    else if (flags & isFirst) {
      const end = Math.min(text.length, from + maxLength)
      while (index < end && flagsOf(text.charCodeAt(index)) & isFurther) index += 1
      visit(from, index, false)
    }
  }
}

/** `alone` marks characters of scripts without blanks, and pictures. */
const eachToken = (text: string, visit: Visit): void => {
  if (!/[\ud800-\udfff]/.test(text)) scan(text, visit)
  else
    for (const { 0: found, index } of text.matchAll(token))
      visit(index, index + found.length, singlePattern.test(found))
}

export const tokenStarts = (text: string): Uint32Array => {
  const starts: number[] = []
  eachToken(text, (from) => starts.push(from))
  return Uint32Array.from(starts)
}

/** In scripts without blanks, counts characters and pairs of adjacent ones. */
export const countWords = (text: string, maxTokens: number): Map<string, number> => {
  const counts = new Map<string, number>()
  const count = (word: string) => counts.set(word, (counts.get(word) ?? 0) + 1)
  const isPlain = ascii.test(text)
  const source = isPlain ? text.toLowerCase() : text
  let tokens = 0
  let neighbour = ''
  let end = -1
  eachToken(source, (from, to, alone) => {
    tokens += 1
    if (tokens > maxTokens) return
    const found = source.slice(from, to)
    count(alone || isPlain ? found : fold(found))
    if (alone && neighbour !== '' && end === from) count(neighbour + found)
    neighbour = alone ? found : ''
    end = to
  })
  // A text of punctuation only is found by its punctuation.
  if (tokens === 0) for (const symbol of text.slice(0, maxTokens).matchAll(/[^\p{Z}\p{C}]/gu)) count(symbol[0])
  return counts
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range, where there is nothing to decompose
const ascii = /^[\x00-\x7f]*$/

/** Makes words equal that differ only in case or accents. */
const fold = (word: string): string => {
  const lower = word.toLowerCase()
  return ascii.test(lower) ? lower : lower.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
}

const weightByLength = [0, 0.1, 0.2, 0.45, 0.75, 1, 1]

/** Returns 0.1 to 1.15: long words and numbers weigh more than short words. */
export const weightOf = (word: string): number => {
  const byLength = weightByLength[word.length] ?? 1.15
  if (word.length > 4) return byLength < 0.75 && /\p{N}/u.test(word) ? 0.75 : byLength
  // A character of a script without blanks weighs more than a letter. A number, or a name such as `s3`, weighs more
  // than a short word.
  const [begin = '', ...others] = word
  if (singlePattern.test(begin)) return others.length > 0 ? 1 : 0.4
  return /\p{N}/u.test(word) ? Math.max(byLength, 0.75) : byLength
}
