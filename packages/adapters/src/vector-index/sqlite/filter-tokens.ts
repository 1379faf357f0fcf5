import { createHash } from 'node:crypto'
import type { PointFilter } from '@cairn/domain/ports/vector-index'

/**
 * Texts that the `ascii` tokenizer of the full-text table keeps as one unchanged token. Lone surrogates are excluded.
 */
const plain = /^[a-z0-9\u0080-\ud7ff\ue000-\uffff]{1,64}$/

/** Hashes the UTF-16 bytes, so that lone surrogates stay distinct; 128 bits make collisions practically impossible. */
const digest = (text: string): string =>
  createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex').slice(0, 32)

const wordToken = (word: string): string => (plain.test(word) ? `w${word}` : `x${digest(word)}`)

/**
 * Returns the strings of a filter as tokens that the full-text table keeps whole. Equal strings give equal tokens and
 * different strings give different tokens, whatever characters they contain. `w` and `x` mark words, `t` terms; the
 * caller adds digits in front.
 */
export const filterTokens = ({ terms, words }: Pick<PointFilter, 'terms' | 'words'>): string[] => [
  ...terms.map((term) => `t${digest(term)}`),
  ...words.map(wordToken),
]
