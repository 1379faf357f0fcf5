/** Openers that leave the subject unclear. "The same as X" is fine, because it names X. */
const opener = /^(?:Of |The same(?! as )|As many|As much|Those |That of |What is |What was )/
/** Quantities without a comparison. */
const quantity = /\bso (?:many|much|long)\b(?! as\b)/i

/**
 * Matches block comments and runs of line comments. Strings that look like a comment are matched, too; few begin with
 * an opener.
 */
const comment =
  /^[ \t]*\/\*\*?[\s\S]*?\*\/|(?:^|[ \t])\/\*\* [^\n]*?\*\/|(?:^|[ \t])\/\/ [^\n]*(?:\n[ \t]*\/\/ [^\n]*)*/gm

const plainText = (comment: string): string =>
  comment
    .replace(/\s*\*\/\s*$/, '')
    .replace(/^\s*(?:\/\*\*?|\/\/)/, '')
    .replace(/\n[ \t]*(?:\*|\/\/)/g, '')
    .trim()

/** Returns the comments of a source file whose subject must be guessed, each with its first line number. */
export const findVagueComments = (source: string): { readonly line: number; readonly text: string }[] =>
  [...source.matchAll(comment)].flatMap(({ 0: found, index }) => {
    const text = plainText(found)
    if (!opener.test(text) && !quantity.test(text)) return []
    const before = source.slice(0, index + found.search(/\S/))
    return [{ line: before.split('\n').length, text: text.slice(0, 100) }]
  })
