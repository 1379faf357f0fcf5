import type { Cairn, Hit } from '@cairn/client'
import { printable } from '../table.ts'
import { type Patience, patiently } from './patience.ts'

export const searchTexts = async (
  { cairn, namespace, patience }: { readonly cairn: Cairn; readonly namespace: string; readonly patience: Patience },
  query: string,
  topK: number,
): Promise<readonly Hit[]> => {
  const search = { query, namespaces: [namespace], top_k: topK }
  const { results } = await patiently(patience, () => cairn.search(search, { signal: patience.signal }))
  return results
}

/** Counts from 1; the parts of a long README count as one hit. Undefined if the package is absent. */
export const rankOf = (hits: readonly Hit[], expected: string): number | undefined => {
  const names = [...new Set(hits.map(({ id }) => id.replace(/#\d+$/, '')))]
  const place = names.indexOf(expected)
  return place === -1 ? undefined : place + 1
}

const markup = /<[^>]*>|!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])|[*_`#>|]+/g

/** Returns the first line of prose, shortened. */
const excerpt = (text: string): string => {
  const lines = text.split('\n').filter((line) => !/^\s*(#|<|\[|!|=|-{2,}|```|\|)/.test(line))
  const prose =
    lines.map((line) => printable(line.replace(markup, '$1')).trim()).find((line) => line.split(' ').length > 3) ?? ''
  return prose.length > 70 ? `${prose.slice(0, 69)}…` : prose
}

export const describeHits = (hits: readonly Hit[]): string => {
  if (hits.length === 0) return '  no hits\n'
  const wide = (pick: (hit: Hit) => string) => Math.max(...hits.map((hit) => pick(hit).length))
  const [labels, ids] = [wide(({ label }) => label), wide(({ id }) => printable(id))]
  const line = (hit: Hit) =>
    `  ${hit.score.toFixed(3)}  ${hit.label.padEnd(labels)}  ${printable(hit.id).padEnd(ids)}  ${excerpt(hit.text)}`
  return hits.map((hit) => `${line(hit).trimEnd()}\n`).join('')
}
