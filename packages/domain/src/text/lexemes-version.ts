/**
 * Version of the rules by which texts become lexemes (`lexemes.ts`). Indexing writes one side of them, a query the other:
 * with a change of the rules this number is raised, and the points of all namespaces are written again.
 */
export const lexemesVersion = 2
