import type { Evaluation } from '@cairn/client'
import { limits } from '@cairn/contracts/limits'
import { interval95, mean } from '@cairn/contracts/text/measures'
import { detailsTable, table } from '../table.ts'
import type { Question } from './read-questions.ts'
import type { Score } from './score-hits.ts'

const excerpt = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** Returns the lowest nDCG first, without questions answered perfectly. */
export const worstOf = (questions: readonly Question[], scores: readonly Score[]) =>
  questions
    .flatMap(({ question }, index) => {
      const { ndcg = 1, firstRank = 1 } = scores[index] ?? {}
      return ndcg < 1 ? [{ question, ndcg_at_10: ndcg, first_rank: firstRank }] : []
    })
    .sort((a, b) => a.ndcg_at_10 - b.ndcg_at_10)
    .slice(0, limits.worstQuestions)
    .map(({ question, ...score }) => ({ question: excerpt(question, limits.evaluationExcerpt), ...score }))

export type Measured = ReturnType<typeof measure>

/** Means over the questions, with 95 % intervals. */
export const measure = (scores: readonly Score[]) => {
  const [ndcgs, recalls] = [scores.map(({ ndcg }) => ndcg), scores.map(({ recall }) => recall)]
  return {
    ndcg_at_10: { mean: mean(ndcgs), interval: interval95(ndcgs) },
    recall_at_10: { mean: mean(recalls), interval: interval95(recalls) },
    questions: scores.length,
    without_hit: scores.filter(({ firstRank }) => firstRank === 0).length,
  }
}

const excerptLength = 80

export const reportOf = (mode: string, measured: Measured, worst: ReturnType<typeof worstOf>): string => {
  const { ndcg_at_10: ndcg, recall_at_10: recall, questions, without_hit: withoutHit } = measured
  const rows = [
    { measure: 'nDCG@10', ...ndcg },
    { measure: 'recall@10', ...recall },
  ]
  const means = table<(typeof rows)[number]>(
    [
      { title: 'MEASURE', value: ({ measure }) => measure },
      { title: 'MEAN', value: ({ mean }) => mean.toFixed(3), right: true },
      { title: '95 % INTERVAL', value: ({ interval: [low, high] }) => `${low.toFixed(3)} to ${high.toFixed(3)}` },
    ],
    rows,
  )
  const counts = detailsTable({ mode, questions, 'without a hit': withoutHit })
  if (worst.length === 0) return `${means}\n${counts}`
  const questionsTable = table<(typeof worst)[number]>(
    [
      { title: 'NDCG@10', value: ({ ndcg_at_10: score }) => score.toFixed(3), right: true },
      { title: 'RANK', value: ({ first_rank: rank }) => (rank === 0 ? undefined : rank), right: true },
      { title: 'WORST QUESTIONS', value: ({ question }) => excerpt(question, excerptLength) },
    ],
    worst,
  )
  return `${means}\n${counts}\n${questionsTable}`
}

/** Returns `nDCG@10 -0.081 against hybrid, all-MiniLM-L6-v2 (p 0.0002): significant`. */
export const changeOf = ({ change }: Evaluation): string => {
  if (!change) return 'no earlier evaluation of these questions'
  const { difference, p, significant, mode, model } = change
  const sign = difference > 0 ? '+' : ''
  return `nDCG@10 ${sign}${difference.toFixed(3)} against ${mode}, ${model} (p ${p.toFixed(4)}): ${significant ? 'significant' : 'not significant'}`
}
