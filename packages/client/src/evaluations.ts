import { type CallOptions, inNamespace, keyed, type Transport } from './transport.ts'
import type { Evaluation, EvaluationDetail, KeepEvaluation } from './types.ts'

export type Evaluations = {
  /** Keeps the result of searching a namespace by questions with known answers. */
  keep(namespace: string, result: KeepEvaluation, options?: CallOptions): Promise<Evaluation>
  /** Returns the newest evaluations of a namespace, newest first. */
  list(namespace: string, options?: CallOptions): Promise<Evaluation[]>
  /** Returns an evaluation with the scores of its questions. */
  get(namespace: string, evaluationId: string, options?: CallOptions): Promise<EvaluationDetail>
}

const path = '/v1/namespaces/{namespace_name}/evaluations'

export const createEvaluations = ({ call }: Transport): Evaluations => ({
  keep: (namespace, result, options) =>
    call('post', path, { params: inNamespace(namespace), body: result }, keyed(options)),
  list: async (namespace, options) =>
    (await call('get', path, { params: inNamespace(namespace) }, options)).evaluations,
  get: (namespace, evaluation_id, options) =>
    call('get', `${path}/{evaluation_id}`, { params: { path: { namespace_name: namespace, evaluation_id } } }, options),
})
