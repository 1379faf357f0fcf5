import type { Hit } from '@cairn/client'
import { ndcg, recall, roundScore } from '@cairn/contracts/text/measures'
import type { Question } from './read-questions.ts'

/** `firstRank`: first expected hit; 0: none. */
export type Score = { readonly ndcg: number; readonly recall: number; readonly firstRank: number }

const depth = 10

const fileOf = ({ metadata }: Hit): string => {
  const { source } = metadata as { readonly source?: unknown }
  return typeof source === 'string' ? source.normalize('NFC') : ''
}

/** Counts all chunks of an expected file as one. */
export const scoreHits = ({ expected, files }: Question, hits: readonly Hit[]): Score => {
  const grades = new Map(
    [...expected.map((id) => `id ${id}`), ...files.map((name) => `file ${name}`)].map((key) => [key, 1]),
  )
  const keyOf = (hit: Hit): string =>
    [`id ${hit.id}`, `file ${fileOf(hit)}`].find((key) => grades.has(key)) ?? `other ${hit.id}`
  const ranking = [...new Set(hits.map(keyOf))]
  return {
    ndcg: roundScore(ndcg(ranking, grades, depth)),
    recall: roundScore(recall(ranking, grades, depth)),
    firstRank: ranking.findIndex((key) => grades.has(key)) + 1,
  }
}
