import { type Answer, limits, type Search } from '@cairn/client'
import { type Condition, conditionParams, conditionsIn, filterOf } from '../filter-form.tsx'
import type { Params } from '../router.ts'

export type Mode = NonNullable<Search['mode']>
export type Request =
  | { readonly path: '/v1/search'; readonly body: Search }
  | { readonly path: '/v1/answer'; readonly body: Answer }

/** Input of the form, which the address keeps. */
export type Query = {
  readonly text: string
  readonly namespaces: readonly string[]
  readonly topK: number
  readonly mode: Mode
  readonly conditions: readonly Condition[]
  /** Whether the text is a question to answer. */
  readonly isQuestion: boolean
}

export const modes: Readonly<Record<Mode, string>> = {
  hybrid: 'Hybrid: meaning and words',
  semantic: 'Semantic: meaning',
  lexical: 'Lexical: words',
}
const defaultTopK = 10

/** Parses the number of hits; anything but a number above 0 counts as 1. */
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

/** Parses the query: `[0.1, 0.2]` is a vector, everything else is text. */
const queryOf = (text: string): Search['query'] => {
  if (!/^\s*\[/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((each) => typeof each === 'number') ? value : text
  } catch {
    return text
  }
}

/** Returns the request of a query. `isVector`: a query of vectors, which has only one mode. */
export const requestOf = (query: Query, isVector: boolean): Request => {
  const { text, namespaces, topK, mode, conditions, isQuestion } = query
  const filter = filterOf(conditions)
  const filtered = filter ? { filter } : {}
  if (isQuestion) {
    const [namespace = ''] = namespaces
    return { path: '/v1/answer', body: { query: text, namespace, top_k: topK, ...filtered } }
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
