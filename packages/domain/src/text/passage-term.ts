import { createHash } from 'node:crypto'

/**
 * Finds points of equal passages, so that a text is not embedded again. 128 bits make collisions practically
 * impossible. Terms of metadata contain a colon: a client's filter never equals this one.
 */
export const passageTerm = (text: string): string =>
  `sha256-${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32)}`
