/** Scripts that some embedding models support and others don't, by their Unicode names. */
export type Script = 'Latin' | 'Han'

const letters: Readonly<Record<Script, RegExp>> = { Latin: /\p{sc=Latin}/gu, Han: /\p{sc=Han}/gu }
const anyLetter = /\p{L}/gu

const count = (text: string, pattern: RegExp): number => text.length - text.replace(pattern, '').length

/**
 * Returns the share, 0 to 1, of a text's letters that belong to the scripts; 1 for a text without letters, or if
 * `scripts` is undefined.
 */
export const readableShare = (text: string, scripts: readonly Script[] | undefined): number => {
  // All letters in ASCII are Latin, so most texts need no counting, which takes a millisecond for 50,000 characters.
  if (!scripts || (scripts.includes('Latin') && /^\p{ASCII}*$/u.test(text))) return 1
  const all = count(text, anyLetter)
  return all === 0 ? 1 : Math.min(1, scripts.reduce((sum, script) => sum + count(text, letters[script]), 0) / all)
}
