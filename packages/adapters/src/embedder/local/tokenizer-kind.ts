import type { Tokenizer } from '@huggingface/tokenizers'

export type Piece = { readonly ids: readonly number[]; readonly starts: readonly number[] }

export type TokenizerKind = {
  readonly special: { readonly first: number; readonly last: number }
  /** Cut at characters that end a word in any case: the tokens of the pieces together are those of the whole text. */
  readonly pieces: RegExp
  readonly cut: (piece: string) => Piece
}

export const specialTokens = (tokenizer: Tokenizer): TokenizerKind['special'] => {
  const [first, last] = tokenizer.encode('').ids
  if (first === undefined || last === undefined)
    throw new Error('tokenizer.json names no tokens that begin and end a text')
  return { first, last }
}

/**
 * A character with the marks with which a normalizer may compose it: combining marks, Japanese sound marks, the later
 * letters of a Korean syllable.
 */
const markedCharacter = /.[\p{M}\uff9e\uff9f\u1160-\u11ff]{0,30}/gsu
const maxCachedLengths = 20_000

/**
 * Maps each UTF-16 unit of a normalized text to the start of its character (or composed character) in the original;
 * undefined where the lengths do not add up.
 */
export const originMapper = (normalize: (text: string) => string) => {
  const lengths = new Map<string, number>()
  const normalLength = (part: string): number => {
    const cached = lengths.get(part)
    if (cached !== undefined) return cached
    const { length } = normalize(part)
    if (lengths.size >= maxCachedLengths) lengths.clear()
    lengths.set(part, length)
    return length
  }
  return (text: string, normal: string): number[] | undefined => {
    if (normal === text) return Array.from({ length: text.length }, (_, index) => index)
    const origins: number[] = []
    for (const { 0: marked, index } of text.matchAll(markedCharacter)) {
      const length = normalLength(marked)
      const begin = origins.length
      let start = index
      for (const character of marked) {
        for (let units = normalLength(character); units > 0; units -= 1) origins.push(start)
        start += character.length
      }
      if (origins.length === begin + length) continue
      origins.length = begin
      for (let units = length; units > 0; units -= 1) origins.push(index)
    }
    return origins.length === normal.length ? origins : undefined
  }
}

/** Returns evenly spread starts, each at a character, for tokens whose position is unknown. */
export const spread = (text: string, count: number): number[] => {
  const begins: number[] = []
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1) begins.push(index)
  return Array.from({ length: count }, (_, index) => begins[Math.floor((index * begins.length) / count)] ?? 0)
}
