import { createHash } from 'node:crypto'

/**
 * Returns the term by which the points of equal passages are found, so that a text is not embedded again. 128 bits make
 * collisions practically impossible. Terms of metadata contain a colon, so a client's filter never equals this term.
 */
export const passageTerm = (text: string): string =>
  `sha256-${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32)}`
