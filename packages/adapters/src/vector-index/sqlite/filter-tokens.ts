import { createHash } from 'node:crypto'
import type { PointFilter } from '@cairn/domain/ports/vector-index'

/** The full-text table's `ascii` tokenizer keeps these as one unchanged token. Lone surrogates are excluded. */
const plain = /^[a-z0-9\u0080-\ud7ff\ue000-\uffff]{1,64}$/

/** UTF-16 bytes keep lone surrogates distinct; 128 bits exclude collisions in practice. */
const digest = (text: string): string =>
  createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex').slice(0, 32)

const wordToken = (word: string): string => (plain.test(word) ? `w${word}` : `x${digest(word)}`)

/**
 * Tokens that the full-text table keeps whole: equal for equal strings, different for different ones, whatever
 * characters they contain. `w` and `x` mark words, `t` terms; the caller adds digits in front.
 */
export const filterTokens = ({ terms, words }: Pick<PointFilter, 'terms' | 'words'>): string[] => [
  ...terms.map((term) => `t${digest(term)}`),
  ...words.map(wordToken),
]
