import * as z from 'zod'
import { limits } from '../limits.ts'
import { count, namespaceParams, text, timestamp } from './common.ts'
import { keyFailures, operationsOf } from './operation.ts'
import { searchModes } from './search.ts'

const hashRule = 'must be a SHA-256 in 64 lowercase hexadecimal digits'
const modeRule = `must be one of ${searchModes.join(', ')}`
const shareRule = 'must be a number from 0 to 1'
const rankRule = `must be an integer from 0 to ${limits.topK}`
const modelRule = 'must be a string of 1 to 200 characters'
const idRule = 'must be a string of 1 to 64 characters'
const questionRule = `must be a string of at most ${limits.evaluationExcerpt} characters`
const perQuestionRule = `must be an array with one element for each of 1 to ${limits.evaluationQuestions} questions`
const worstRule = `must be an array of at most ${limits.worstQuestions} questions`

const share = z.number(shareRule).min(0, shareRule).max(1, shareRule)
const rank = z.int(rankRule).min(0, rankRule).max(limits.topK, rankRule)

const perQuestion = <T extends z.ZodType>(element: T) =>
  z.array(element, perQuestionRule).min(1, perQuestionRule).max(limits.evaluationQuestions, perQuestionRule)

const mode = z.enum(searchModes, modeRule)
const scores = {
  ndcg_at_10: perQuestion(share).describe('nDCG of the first ten hits, by question.'),
  recall_at_10: perQuestion(share).describe('Share of what is expected that is among the first ten hits, by question.'),
  first_ranks: perQuestion(rank).describe('Rank of the first hit that is expected, by question; 0: nothing was found.'),
}

const worstQuestion = z
  .object({
    question: z.string(questionRule).max(limits.evaluationExcerpt, questionRule).describe('Its beginning.'),
    ndcg_at_10: share,
    first_rank: rank,
  })
  .meta({ id: 'WorstQuestion' })

const worst = z.array(worstQuestion, worstRule).max(limits.worstQuestions, worstRule)

export const keepEvaluationBody = z
  .object(
    {
      questions_hash: z
        .string(hashRule)
        .regex(/^[0-9a-f]{64}$/, hashRule)
        .describe('Hash of the questions and what is expected. Only evaluations with the same hash are compared.'),
      mode,
      model: z
        .string(modelRule)
        .min(1, modelRule)
        .max(200, modelRule)
        .describe('The model of the namespace when its questions were searched.'),
      ...scores,
      worst: worst.default([]).describe('The questions with the lowest nDCG.'),
      against: z
        .object({
          evaluation_id: z.string(idRule).min(1, idRule).max(64, idRule),
          p: share.describe('Of a paired, two-sided test of the nDCG of each question.'),
        })
        .optional()
        .describe('An earlier evaluation of the same questions, and how likely the difference is by chance.'),
    },
    'must be an object',
  )
  .meta({
    id: 'KeepEvaluation',
    examples: [
      {
        questions_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        mode: 'hybrid',
        model: 'all-MiniLM-L6-v2',
        ndcg_at_10: [1, 0.6309],
        recall_at_10: [1, 1],
        first_ranks: [1, 2],
      },
    ],
  })

const mean = z.number().min(0).max(1)
const summary = {
  evaluation_id: text,
  namespace_name: text,
  evaluated_at: timestamp,
  questions_hash: text,
  mode,
  model: text,
  item_count: count.describe('Items of the namespace at that time.'),
  questions: count,
  ndcg_at_10: mean.describe('Mean over the questions.'),
  recall_at_10: mean.describe('Mean over the questions.'),
  without_hit: count.describe('Questions for which nothing that is expected was found.'),
  change: z
    .object({
      evaluation_id: text.describe('The evaluation that this one is compared with.'),
      mode,
      model: text,
      difference: z.number().min(-1).max(1).describe('`ndcg_at_10` minus that of the other evaluation.'),
      p: mean,
      significant: z.boolean().describe('Whether `p` is below 0.01.'),
    })
    .nullable(),
}

const evaluation = z.object(summary).meta({ id: 'Evaluation' })
const evaluationDetail = z
  .object({
    ...summary,
    scores: z.object(scores).describe('In the order of the questions in which they were sent.'),
    worst,
  })
  .meta({ id: 'EvaluationDetail' })
const evaluationList = z.object({ evaluations: z.array(evaluation) }).meta({ id: 'EvaluationList' })

const path = '/v1/namespaces/{namespace_name}/evaluations'
const common = { tag: 'Maintenance', auth: 'key', errors: 'data' } as const
const unknownNamespace = 'The namespace does not exist, is not yours, or is a vector namespace.'

export const evaluationOperations = operationsOf(common, {
  keepEvaluation: {
    idempotencyKey: true,
    method: 'post',
    path,
    scope: 'write',
    summary: 'Keep the result of an evaluation',
    description:
      '`cairn eval` searches a text namespace by questions with known answers, and sends how well they were found. The newest 20 evaluations of a namespace are kept.',
    request: { params: namespaceParams, body: { schema: keepEvaluationBody } },
    responses: { 201: { description: 'The evaluation is kept.', body: evaluation } },
    failures: keyFailures({
      400: 'A field is not allowed, or the lists have different lengths.',
      404: `${unknownNamespace} Or there is no evaluation to compare with.`,
      409: 'The namespace has another model now, or the evaluation to compare with is of other questions.',
      413: 'The body is larger than 10 MB.',
    }),
  },
  listEvaluations: {
    method: 'get',
    path,
    scope: 'read',
    summary: 'List the evaluations of a namespace',
    description: 'The newest first.',
    request: { params: namespaceParams },
    responses: { 200: { description: 'The evaluations.', body: evaluationList } },
    failures: keyFailures({ 404: unknownNamespace }),
  },
  getEvaluation: {
    method: 'get',
    path: `${path}/{evaluation_id}`,
    scope: 'read',
    summary: 'Get an evaluation with the scores of its questions',
    request: { params: namespaceParams.extend({ evaluation_id: text }) },
    responses: { 200: { description: 'The evaluation.', body: evaluationDetail } },
    failures: keyFailures({ 404: 'The namespace or the evaluation does not exist or is not yours.' }),
  },
})
