import { createHash } from 'node:crypto'
import type { PointFilter } from '../port.ts'

/** What the full-text table's `ascii` tokenizer takes for one token and does not change. Surrogates may stand alone: not these. */
const plain = /^[a-z0-9\u0080-\ud7ff\ue000-\uffff]{1,64}$/

/** UTF-16 bytes, so that lone surrogates stay apart; 128 bits, so that no two strings meet. */
const digest = (text: string): string => createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex').slice(0, 32)

const wordToken = (word: string): string => (plain.test(word) ? `w${word}` : `x${digest(word)}`)

/**
 * The strings a filter compares, as tokens the full-text table keeps whole: equal strings give equal tokens, different
 * ones different tokens, whatever characters they hold. `w` and `x` are words, `t` terms; a caller puts digits before them.
 */
export const filterTokens = ({ terms, words }: PointFilter): string[] => [
  ...terms.map((term) => `t${digest(term)}`),
  ...words.map(wordToken),
]
