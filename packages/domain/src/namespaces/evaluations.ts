import {
  count,
  find,
  findLast,
  get,
  getOne,
  insertOne,
  type Protocol,
  type ReadProtocol,
  read,
  readLatest,
  removeAll,
  removeFound,
} from '../protocol/steps.ts'
import type { Evaluation, Namespace } from './record.ts'

/** Number kept per namespace. */
export const maxEvaluations = 20
/** Number removed per insertion; more than one is left only where insertions were interrupted. */
const removedAtOnce = 100

const listed = [
  'namespaceId',
  'id',
  'at',
  'questionsHash',
  'mode',
  'model',
  'itemCount',
  'questions',
  'ndcg',
  'recall',
  'withoutHit',
  'change',
] as const

export const evaluations = {
  /**
   * Inserts an evaluation and removes those older than the newest `maxEvaluations`. Returns false, and keeps nothing,
   * if the namespace is not active.
   */
  *insert(evaluation: Evaluation): Protocol<boolean> {
    const { namespaceId, id } = evaluation
    yield* insertOne('evaluations: insert', 'evaluations', evaluation)
    // Read after the insertion: a deletion that begins later removes the record.
    const [namespace] = yield* get('evaluations: read namespace', 'namespaces', [[namespaceId]], ['state'])
    if (!isActive(namespace)) {
      yield* removeAll('evaluations: remove again', 'evaluations', [[namespaceId, id]])
      return false
    }
    const limit = maxEvaluations + removedAtOnce
    const newest = yield* findLast('evaluations: find old', 'evaluations', { namespaceId }, ['id'], limit, ['id'])
    const old = newest.slice(maxEvaluations).map((record) => [namespaceId, record.id])
    if (old.length > 0) yield* removeAll('evaluations: remove old', 'evaluations', old)
    return true
  },
  /** Returns the newest first. */
  ofNamespace: read(function* (namespaceId: string): ReadProtocol<Omit<Evaluation, 'detail'>[]> {
    return yield* findLast('evaluations: of namespace', 'evaluations', { namespaceId }, ['id'], maxEvaluations, listed)
  }),
  get: read((namespaceId: string, id: string) => getOne('evaluations: get', 'evaluations', namespaceId, id)),
  removeOfNamespace: (namespaceId: string, limit: number) =>
    removeFound(
      'evaluations: remove of namespace',
      'evaluations',
      find('evaluations: find of namespace', 'evaluations', { namespaceId }, ['id'], limit, ['namespaceId', 'id']),
    ),
  countOfNamespace: readLatest((namespaceId: string) =>
    count('evaluations: count of namespace', 'evaluations', { namespaceId }),
  ),
}

const isActive = (namespace: Pick<Namespace, 'state'> | undefined): boolean => namespace?.state === 'active'
