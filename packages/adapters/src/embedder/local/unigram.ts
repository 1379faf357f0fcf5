import { Tokenizer } from '@huggingface/tokenizers'
import { originMapper, type Piece, specialTokens, spread, type TokenizerKind } from './tokenizer-kind.ts'

type Step = { readonly type: string; readonly [list: string]: unknown }

/** The library reads the rest of `tokenizer.json`. */
export type UnigramFile = {
  readonly model: { readonly vocab: readonly (readonly [token: string, score: number])[]; readonly unk_id: number }
  readonly normalizer: Step | null
  readonly pre_tokenizer: Step | null
  readonly added_tokens: readonly { readonly content: string; readonly special?: boolean }[]
}

/** Stands for the blank before a word. */
const blank = '▁'
/** Between characters that SentencePiece's normalizer turns into blanks; it deletes vertical tabs. */
const betweenBlanks = /[^\t\n\f\r\p{Z}\u200b-\u200f\u2581\ufeff\ufffd]+/gu
const word = /[^\s▁]+/g
/** How much worse than the worst token an unknown character is, as in SentencePiece. */
const unknownPenalty = 10

/**
 * SentencePiece's Unigram models. The library only normalizes: with 250,000 tokens, its own vocabulary takes 190 MB in
 * each thread, this one 15 MB (a test compares the tokens). Names of special tokens in a text are read as characters.
 */
export const unigram = (file: UnigramFile): TokenizerKind => {
  if (
    !hasStep(file.normalizer, 'normalizers', 'Precompiled') ||
    !hasStep(file.pre_tokenizer, 'pretokenizers', 'Metaspace')
  )
    throw new Error('tokenizer.json of type Unigram has another normalizer or other words than those of SentencePiece')
  const unknownToken = file.model.vocab[file.model.unk_id]
  if (!unknownToken) throw new Error('tokenizer.json names no unknown token')
  const tokenizer = new Tokenizer({ ...file, model: { ...file.model, vocab: [unknownToken], unk_id: 0 } }, {})
  const bestTokens = viterbi(file)
  const normalize = (text: string): string => tokenizer.normalizer?.normalize(text) ?? text
  const originsOf = originMapper(normalize)

  const cut = (text: string): Piece => {
    const normal = normalize(text)
    const origins = originsOf(text, normal)
    const ids: number[] = []
    const starts: number[] = []
    for (const match of normal.matchAll(word)) {
      for (const { id, start } of bestTokens(blank + match[0])) {
        ids.push(id)
        // The blank is not in the text: its token starts with the word.
        starts.push(origins?.[match.index + Math.max(0, start - blank.length)] ?? 0)
      }
    }
    return { ids, starts: origins ? starts : spread(text, ids.length) }
  }
  return { special: specialTokens(tokenizer), pieces: betweenBlanks, cut }
}

const hasStep = (step: Step | null, list: string, type: string): boolean =>
  [step, ...((step?.[list] as readonly Step[] | undefined) ?? [])].some((one) => one?.type === type)

type Token = { readonly id: number; readonly start: number }

/**
 * Splits a word into the tokens whose scores have the highest sum. Of equal sums, the split with the longer last token
 * wins; unknown characters next to each other are one token.
 */
const viterbi = ({ model, added_tokens }: UnigramFile) => {
  const { vocab, unk_id: unknown } = model
  const special = new Set(added_tokens.filter((token) => token.special).map(({ content }) => content))
  const ids = new Map<string, number>()
  const scores = Float64Array.from(vocab, ([, score]) => score)
  /** By first UTF-16 unit: bounds the work for each character. */
  const longest = new Uint16Array(0x1_0000)
  for (const [id, [token]] of vocab.entries()) {
    if (special.has(token)) continue
    ids.set(token, id)
    const first = token.charCodeAt(0)
    longest[first] = Math.max(longest[first] ?? 0, token.length)
  }
  const unknownScore =
    scores.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY) - unknownPenalty
  return (text: string): Token[] => {
    // The best way to each end, and where its last token starts.
    const sums = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY)
    const lastId = new Int32Array(text.length + 1)
    const lastStart = new Int32Array(text.length + 1)
    sums[0] = 0
    const offer = (start: number, end: number, id: number, score: number): void => {
      const sum = (sums[start] ?? 0) + score
      if (sum <= (sums[end] ?? 0)) return
      sums[end] = sum
      lastId[end] = id
      lastStart[end] = start
    }
    for (let start = 0; start < text.length; ) {
      const next = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
      const limit = Math.min(text.length, start + (longest[text.charCodeAt(start)] ?? 0))
      let isKnown = false
      for (let end = next; end <= limit; end += 1) {
        const id = ids.get(text.slice(start, end))
        if (id === undefined) continue
        offer(start, end, id, scores[id] ?? 0)
        if (end === next) isKnown = true
      }
      if (!isKnown) offer(start, next, unknown, unknownScore)
      start = next
    }
    const tokens: Token[] = []
    for (let end = text.length; end > 0; end = lastStart[end] ?? 0) {
      const token = { id: lastId[end] ?? unknown, start: lastStart[end] ?? 0 }
      if (token.id === unknown && tokens.at(-1)?.id === unknown) tokens.pop()
      tokens.push(token)
    }
    return tokens.reverse()
  }
}
