import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'

type Piece = { readonly ids: readonly number[]; readonly starts: readonly number[] }

/**
 * Matches text between characters that the normalizer turns into blanks. Vertical tabs, form feeds and zero-width
 * characters are not blanks: the normalizer deletes them, so the letters around them form one word.
 */
const betweenBlanks = /[^\t\n\r\p{Z}]+/gu
const maxCachedPieceLength = 32
const cacheSize = 20_000

/**
 * Opens the model's own tokenizer and adds offsets and a limit, which its library lacks.
 *
 * A text is cut at blanks first. A blank always ends a word for a BERT tokenizer, so the tokens of the pieces together
 * are exactly the tokens of the whole text (a test compares them with the library's). Pieces repeat, so most are
 * cached.
 */
export const openWordPieces = (modelDir: string) => {
  const file = JSON.parse(readFileSync(join(modelDir, 'tokenizer.json'), 'utf8'))
  if (file.model?.type !== 'WordPiece') throw new Error(`tokenizer.json is of type ${file.model?.type}, not WordPiece`)
  const tokenizer = new Tokenizer(file, {})
  const [first, last] = tokenizer.encode('').ids
  if (first === undefined || last === undefined)
    throw new Error('tokenizer.json names no tokens that begin and end a text')
  const continues: string = file.model.continuing_subword_prefix
  const unknown: string = file.model.unk_token
  const pieces = new Map<string, Piece>()
  const characters = new Map<string, string>()

  const normalise = (text: string): string => tokenizer.normalizer?.normalize(text) ?? text

  const normaliseCharacter = (character: string): string => {
    const cached = characters.get(character)
    if (cached !== undefined) return cached
    const normal = normalise(character)
    if (characters.size >= cacheSize) characters.clear()
    characters.set(character, normal)
    return normal
  }

  /** Returns, for each UTF-16 unit of the normalized text, the start of its character in the original. */
  const origins = (text: string): number[] => {
    const result: number[] = []
    let index = 0
    for (const character of text) {
      for (let units = normaliseCharacter(character).length; units > 0; units -= 1) result.push(index)
      index += character.length
    }
    return result
  }

  /**
   * Returns the lengths of the tokens of one word in the normalized text; undefined when the lengths don't add up to
   * the word.
   */
  const lengthsOf = (word: string, tokens: readonly string[], from: number): number[] | undefined => {
    if (tokens[from] === unknown) return [word.length]
    const lengths: number[] = []
    let used = 0
    for (let index = from; used < word.length; index += 1) {
      const token = tokens[index]
      if (token === undefined) return undefined
      const text = index > from && token.startsWith(continues) ? token.slice(continues.length) : token
      if (!word.startsWith(text, used)) return undefined
      lengths.push(text.length)
      used += text.length
    }
    return lengths
  }

  /**
   * Finds the position of each token, which the library does not return. Matches tokens to words of the normalized
   * text, then maps positions back to the original text.
   */
  const align = (text: string, tokens: readonly string[]): number[] | undefined => {
    const normal = normalise(text)
    const origin = origins(text)
    if (origin.length !== normal.length) return undefined
    const starts: number[] = []
    let index = 0
    for (const word of tokenizer.pre_tokenizer?.pre_tokenize(normal) ?? [normal]) {
      index = normal.indexOf(word, index)
      const lengths = index < 0 ? undefined : lengthsOf(word, tokens, starts.length)
      if (lengths === undefined) return undefined
      for (const length of lengths) {
        starts.push(origin[index] ?? 0)
        index += length
      }
    }
    return starts.length === tokens.length ? starts : undefined
  }

  const cut = (text: string): Piece => {
    const { ids, tokens } = tokenizer.encode(text, { add_special_tokens: false })
    const starts = ids.length > 1 ? (align(text, tokens) ?? spread(text, ids.length)) : ids.map(() => 0)
    return { ids, starts }
  }

  const pieceOf = (text: string): Piece => {
    const cached = pieces.get(text)
    if (cached !== undefined) return cached
    const piece = cut(text)
    if (text.length <= maxCachedPieceLength) {
      if (pieces.size >= cacheSize) pieces.clear()
      pieces.set(text, piece)
    }
    return piece
  }

  return {
    /** Special tokens at the start and end of every text. */
    special: { first, last },
    /** Returns token ids of the text without special tokens, at most `limit` of them. */
    ids: (text: string, limit: number): number[] => {
      const ids: number[] = []
      for (const match of text.matchAll(betweenBlanks)) {
        for (const id of pieceOf(match[0]).ids) ids.push(id)
        if (ids.length >= limit) break
      }
      return ids.slice(0, limit)
    },
    /**
     * Returns the start of every token: UTF-16 offsets in ascending order, possibly equal (one character can give
     * several tokens).
     */
    starts: (text: string): Uint32Array<ArrayBuffer> => {
      const starts: number[] = []
      for (const match of text.matchAll(betweenBlanks)) {
        for (const start of pieceOf(match[0]).starts) starts.push(match.index + start)
      }
      return Uint32Array.from(starts)
    },
  }
}

/**
 * Returns evenly spread starts, each at a character, for tokens whose position is unknown (such as a special token's
 * name within a text).
 */
const spread = (text: string, count: number): number[] => {
  const begins: number[] = []
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1) begins.push(index)
  return Array.from({ length: count }, (_, index) => begins[Math.floor((index * begins.length) / count)] ?? 0)
}
