import { Tokenizer } from '@huggingface/tokenizers'
import { originMapper, type Piece, specialTokens, spread, type TokenizerKind } from './tokenizer-kind.ts'

/** The library reads the rest of `tokenizer.json`. */
export type WordPieceFile = {
  readonly model: { readonly continuing_subword_prefix: string; readonly unk_token: string }
}

/**
 * Between characters that the normalizer turns into blanks. It deletes vertical tabs, form feeds and zero-width
 * characters, so the letters around them form one word.
 */
const betweenBlanks = /[^\t\n\r\p{Z}]+/gu

/** BERT models. Blanks always end a word for them (a test compares the tokens with the library's). */
export const wordPieces = (file: WordPieceFile): TokenizerKind => {
  const tokenizer = new Tokenizer(file, {})
  const { continuing_subword_prefix: continues, unk_token: unknown } = file.model
  const normalize = (text: string): string => tokenizer.normalizer?.normalize(text) ?? text
  const originsOf = originMapper(normalize)

  /** Returns lengths in the normalized text; undefined when they don't add up to the word. */
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

  /** Matches tokens to words of the normalized text, then maps back: the library returns no positions. */
  const align = (text: string, tokens: readonly string[]): number[] | undefined => {
    const normal = normalize(text)
    const origin = originsOf(text, normal)
    if (!origin) return undefined
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
  return { special: specialTokens(tokenizer), pieces: betweenBlanks, cut }
}
