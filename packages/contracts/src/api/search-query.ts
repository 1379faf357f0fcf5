import { metadataTerm, queryWords } from '../text/terms.ts'

type Term = { readonly key: string; readonly value: string }

export type SearchQuery = {
  /** Everything before the filters, trimmed; may be empty. */
  readonly text: string
  readonly terms: readonly Term[]
  /** Distinct; all must occur in a passage. */
  readonly words: readonly string[]
}

const isFilter = (token: string): boolean =>
  token.startsWith('#') && (token.includes(':') || queryWords(token.slice(1)).length > 0)

/**
 * Splits filters off the end of a query: `#key:value` (at the first colon) and `#word`, separated by blanks. A token
 * `#` without a name, and everything before it, is text; so is a `#` anywhere else (`C#`).
 */
export const parseSearchQuery = (query: string): SearchQuery => {
  // Odd indexes hold the blanks, which the text keeps.
  const tokens = query.split(/(\s+)/u)
  let end = tokens.length
  for (let index = tokens.length - 1; index >= 0; index -= 2) {
    const token = tokens[index] as string
    if (token !== '' && !isFilter(token)) break
    end = index
  }
  const terms = new Map<string, Term>()
  const words = new Set<string>()
  for (const token of tokens.slice(end)) {
    const body = token.slice(1)
    const colon = body.indexOf(':')
    const term = { key: body.slice(0, colon), value: body.slice(colon + 1) }
    if (colon >= 0) terms.set(metadataTerm(term.key, term.value), term)
    else for (const word of queryWords(body)) words.add(word)
  }
  return { text: tokens.slice(0, end).join('').trim(), terms: [...terms.values()], words: [...words] }
}

/** Returns the form that a vector index evaluates. */
export const filterOf = (
  query: SearchQuery,
): { readonly terms: readonly string[]; readonly words: readonly string[] } => ({
  terms: query.terms.map(({ key, value }) => metadataTerm(key, value)),
  words: query.words,
})
