/**
 * Version of `lexemes.ts`. Indexing writes one side of the lexemes, a query the other: a change of the rules raises
 * this number, and the points of all namespaces are written again.
 */
export const lexemesVersion = 2
