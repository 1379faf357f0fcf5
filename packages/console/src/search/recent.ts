import type { QueryClient } from '@tanstack/preact-query'
import { routeTo, withParams } from '../router.ts'
import { paramsOf, type Query } from './search-request.ts'

const name = 'outcome'

export const outcomeKey = (query: Query) => [name, query] as const

/** Returns the searches of this tab, the last first; of those for one text, the last. */
export const recentSearches = (queries: QueryClient): readonly { readonly text: string; readonly href: string }[] => {
  const searches = queries
    .getQueryCache()
    .findAll({ queryKey: [name], predicate: ({ state }) => state.data !== undefined && state.data !== null })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ queryKey }) => {
      const query = queryKey[1] as Query
      return { text: query.text, href: withParams(routeTo('search'), paramsOf(query)) }
    })
  return searches.filter(({ text }, at) => searches.findIndex((other) => other.text === text) === at)
}
