import { invalidField, namespaceNotFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { mean, roundScore, significantBelow } from '@cairn/contracts/text/measures'
import { shownCount } from '@cairn/domain/accounts/record'
import type { Evaluation, Namespace } from '@cairn/domain/namespaces/record'
import { type EmbeddingModel, modelName } from '@cairn/domain/ports/embedder'
import type { BodyOf, ResponseBody } from '@cairn/runtime/http/endpoint'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

type Sent = BodyOf<typeof operations.keepEvaluation>
type Detail = Pick<ResponseBody<typeof operations.getEvaluation, 200>, 'scores' | 'worst'>

const view = (
  { name }: Namespace,
  { change, model, ...evaluation }: Omit<Evaluation, 'detail'>,
): ResponseBody<typeof operations.keepEvaluation, 201> => ({
  evaluation_id: evaluation.id,
  namespace_name: name,
  evaluated_at: iso(evaluation.at),
  questions_hash: evaluation.questionsHash,
  mode: evaluation.mode,
  model: modelName(model),
  item_count: evaluation.itemCount,
  questions: evaluation.questions,
  ndcg_at_10: evaluation.ndcg,
  recall_at_10: evaluation.recall,
  without_hit: evaluation.withoutHit,
  change: change && {
    evaluation_id: change.id,
    mode: change.mode,
    model: modelName(change.model),
    difference: change.difference,
    p: change.p,
    significant: change.p < significantBelow,
  },
})

const evaluationNotFound = (id: string): AppError =>
  new AppError('notFound', `The namespace has no evaluation "${id.slice(0, 64)}": only the newest are kept.`)

const detailOf = (sent: Sent): Detail => {
  const { ndcg_at_10: ndcg, recall_at_10: recall, first_ranks: ranks, worst } = sent
  for (const [field, { length }] of Object.entries({ recall_at_10: recall, first_ranks: ranks }))
    if (length !== ndcg.length)
      throw invalidField(field, `must have as many elements as ndcg_at_10 (${ndcg.length}), not ${length}`)
  // Rounded, so that an evaluation has a limited size.
  const scores = { ndcg_at_10: ndcg.map(roundScore), recall_at_10: recall.map(roundScore), first_ranks: ranks }
  return { scores, worst }
}

/** Throws AppError `conflict` if the questions were searched with another model. */
const modelOf = ({ embedding }: Namespace, searchedWith: string): EmbeddingModel => {
  if (!embedding) throw new Error('a text namespace has a model')
  if (modelName(embedding) === searchedWith) return embedding
  throw new AppError(
    'conflict',
    `The questions were searched with the model "${searchedWith}", but the namespace has "${modelName(embedding)}" now; run the evaluation again.`,
  )
}

const changeFrom = (earlier: Evaluation, ndcg: number, sent: Sent, p: number): Evaluation['change'] => {
  if (earlier.questionsHash !== sent.questions_hash || earlier.questions !== sent.ndcg_at_10.length)
    throw new AppError('conflict', `The evaluation "${earlier.id}" is of other questions, so it can't be compared.`)
  const { id, mode, model } = earlier
  return { id, mode, model, difference: ndcg - earlier.ndcg, p }
}

export const keepEvaluation = ({ store, clock, ids }: GatewayPorts) =>
  accountEndpoint(operations.keepEvaluation, async (call) => {
    const sent = call.body()
    const detail = detailOf(sent)
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const model = modelOf(namespace, sent.model)
    const { against, mode, questions_hash: questionsHash } = sent
    const earlier = against && (await store.evaluations.get(namespace.id, against.evaluation_id))
    if (against && !earlier) throw evaluationNotFound(against.evaluation_id)
    const { ndcg_at_10: ndcgs, recall_at_10: recalls, first_ranks: ranks } = detail.scores
    const ndcg = mean(ndcgs)
    const evaluation: Evaluation = {
      namespaceId: namespace.id,
      id: ids.next('evaluation'),
      at: clock.now(),
      questionsHash,
      mode,
      model,
      itemCount: shownCount(namespace.itemCount),
      questions: ndcgs.length,
      ndcg,
      recall: mean(recalls),
      withoutHit: ranks.filter((rank) => rank === 0).length,
      change: earlier && against ? changeFrom(earlier, ndcg, sent, against.p) : null,
      detail: JSON.stringify(detail),
    }
    // The namespace may be being deleted since it was read.
    if (!(await store.evaluations.insert(evaluation))) throw namespaceNotFound(namespace.name, 'text')
    return { status: 201, body: view(namespace, evaluation) }
  })

export const listEvaluations = ({ store }: GatewayPorts) =>
  accountEndpoint(operations.listEvaluations, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const evaluations = await store.evaluations.ofNamespace(namespace.id)
    return { status: 200, body: { evaluations: evaluations.map((evaluation) => view(namespace, evaluation)) } }
  })

export const getEvaluation = ({ store }: GatewayPorts) =>
  accountEndpoint(operations.getEvaluation, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const evaluation = await store.evaluations.get(namespace.id, call.params.evaluation_id)
    if (!evaluation) throw evaluationNotFound(call.params.evaluation_id)
    return { status: 200, body: { ...view(namespace, evaluation), ...(JSON.parse(evaluation.detail) as Detail) } }
  })
