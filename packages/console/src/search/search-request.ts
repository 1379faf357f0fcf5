import type { Answer, Filter, Search } from '@cairn/client'

export type Mode = NonNullable<Search['mode']>
export type Request =
  | { readonly path: '/v1/search'; readonly body: Search }
  | { readonly path: '/v1/answer'; readonly body: Answer }

/** Input of the form. */
export type Query = {
  readonly text: string
  readonly namespaces: readonly string[]
  readonly topK: number
  /** Undefined for a vector query, which has only one mode. */
  readonly mode: Mode | undefined
  readonly filter: Filter | undefined
}

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

export const searchRequest = ({ text, namespaces, topK, mode, filter }: Query): Request => ({
  path: '/v1/search',
  body: {
    query: queryOf(text),
    namespaces: [...namespaces],
    top_k: topK,
    ...(mode ? { mode } : {}),
    explain: true,
    highlights: true,
    ...(filter ? { filter } : {}),
  },
})

export const answerRequest = ({ text, namespaces: [namespace = ''], topK, filter }: Query): Request => ({
  path: '/v1/answer',
  body: { query: text, namespace, top_k: topK, ...(filter ? { filter } : {}) },
})

/** Parses the number of hits; anything but a number above 0 counts as 1. */
export const readTopK = (text: string): number => Math.max(1, Math.round(Number(text)) || 1)
