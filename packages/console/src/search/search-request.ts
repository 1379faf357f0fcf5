import { type Answer, limits, type Namespace, type Search } from '@cairn/client'
import { type Condition, conditionParams, conditionsIn, filterOf } from '../filter-form.tsx'
import type { Params } from '../router.ts'

export type Mode = NonNullable<Search['mode']>
export type Request =
  | { readonly path: '/v1/search'; readonly body: Search }
  | { readonly path: '/v1/answer'; readonly body: Answer }

/** Kept in the address. */
export type Query = {
  readonly text: string
  /** None: all that can be searched together. */
  readonly namespaces: readonly string[]
  readonly topK: number
  readonly mode: Mode
  readonly conditions: readonly Condition[]
  readonly isQuestion: boolean
}

export const modes: Readonly<Record<Mode, string>> = {
  hybrid: 'Hybrid: meaning and words',
  semantic: 'Semantic: meaning',
  lexical: 'Lexical: words',
}
const defaultTopK = 10

/** Counts anything but a number above 0 as 1. */
export const readTopK = (text: string): number => Math.min(limits.topK, Math.max(1, Math.round(Number(text)) || 1))

export const queryIn = (params: URLSearchParams): Query => ({
  text: params.get('q') ?? '',
  namespaces: params.getAll('ns'),
  topK: params.has('hits') ? readTopK(params.get('hits') ?? '') : defaultTopK,
  mode: (Object.keys(modes) as Mode[]).find((mode) => mode === params.get('mode')) ?? 'hybrid',
  conditions: conditionsIn(params.getAll('f')),
  isQuestion: params.has('ask'),
})

export const paramsOf = ({ text, namespaces, topK, mode, conditions, isQuestion }: Query): Params => ({
  q: text,
  ns: namespaces,
  hits: topK === defaultTopK ? undefined : topK,
  mode: mode === 'hybrid' ? undefined : mode,
  f: conditionParams(conditions),
  ask: isQuestion ? '1' : undefined,
})

export const namesOf = (namespaces: readonly Namespace[]): string[] => namespaces.map((each) => each.namespace_name)

/** Returns those of texts; if there are none, those like the first one. */
const searchedTogether = (namespaces: readonly Namespace[]): readonly Namespace[] => {
  const { type, vector_dimension: dimension } = namespaces.find((each) => each.type === 'text') ?? namespaces[0] ?? {}
  return namespaces
    .filter((each) => each.type === type && each.vector_dimension === dimension)
    .slice(0, limits.namespacesPerSearch)
}

/** Defaults to all that can be searched together. */
export const namespacesOf = (
  query: Pick<Query, 'namespaces'>,
  namespaces: readonly Namespace[],
): readonly Namespace[] =>
  query.namespaces.length === 0
    ? searchedTogether(namespaces)
    : namespaces.filter((each) => query.namespaces.includes(each.namespace_name))

/** Returns `All`, or `All 3 of texts` if not every namespace is part of it. */
export const labelOfAll = (namespaces: readonly Namespace[]): string => {
  const { length, 0: first } = searchedTogether(namespaces)
  return length === namespaces.length ? 'All' : `All ${length} of ${first?.type}s`
}

/** Parses `[0.1, 0.2]` as a vector, everything else as text. */
const queryOf = (text: string): Search['query'] => {
  if (!/^\s*\[/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((each) => typeof each === 'number') ? value : text
  } catch {
    return text
  }
}

/** Asks all namespaces if a question names none. `isVector`: there is only one mode. */
export const requestOf = (query: Query, isVector: boolean): Request => {
  const { text, namespaces, topK, mode, conditions, isQuestion } = query
  const filter = filterOf(conditions)
  const filtered = filter ? { filter } : {}
  if (isQuestion) {
    const [namespace, ...others] = namespaces
    const among = others.length > 0 ? { namespaces: [...namespaces] } : namespace === undefined ? {} : { namespace }
    return { path: '/v1/answer', body: { query: text, ...among, top_k: topK, ...filtered } }
  }
  return {
    path: '/v1/search',
    body: {
      query: queryOf(text),
      namespaces: [...namespaces],
      top_k: topK,
      ...(isVector ? {} : { mode }),
      explain: true,
      highlights: true,
      ...filtered,
    },
  }
}
