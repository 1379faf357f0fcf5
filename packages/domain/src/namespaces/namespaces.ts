import { isRetired } from '../files/object-owners.ts'
import { type EmbeddingModel, identityOf } from '../ports/embedder.ts'
import type { Page } from '../protocol/page.ts'
import {
  find,
  getOne,
  type Protocol,
  type ReadProtocol,
  read,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import { type PageAfter, underWay } from '../protocol/under-way.ts'
import { lexemesVersion } from '../text/lexemes-version.ts'
import type { Namespace, Reindex } from './record.ts'
import { reextractions } from './reextractions.ts'

/** Needs `phaseAt` where a reindex may enter the phase more than once. */
const inPhase = ({
  id,
  phase,
  phaseAt,
}: Pick<Reindex, 'id' | 'phase'> & Partial<Pick<Reindex, 'phaseAt'>>): WhereOf<'namespaces'> => ({
  'reindex.id': id,
  reindexPhase: phase,
  ...(phaseAt !== undefined && { 'reindex.phaseAt': phaseAt }),
})

const hasModel = ({ provider, model, dimension, weights }: EmbeddingModel): WhereOf<'namespaces'> => ({
  'embedding.provider': provider,
  'embedding.model': model,
  'embedding.dimension': dimension,
  'embedding.weights': weights ?? null,
})

const withoutReindex = (from: EmbeddingModel): WhereOf<'namespaces'> => ({
  state: 'active',
  reindexPhase: null,
  ...hasModel(from),
})

export const namespaces = {
  byName: read(function* (accountId: string, name: string): ReadProtocol<Namespace | undefined> {
    return (yield* find('namespaces: by name', 'namespaces', { accountId, name }, ['id'], 1))[0]
  }),
  get: read((id: string) => getOne('namespaces: get', 'namespaces', id)),
  /** Returns active namespaces, by name. */
  ofAccount: read(function* (accountId: string): ReadProtocol<Namespace[]> {
    const all = []
    for (let after = ''; ; ) {
      const some = yield* find(
        'namespaces: of account',
        'namespaces',
        { accountId, state: 'active', name: { gt: after } },
        ['name'],
        500,
      )
      all.push(...some)
      const last = some.at(-1)
      if (some.length < 500 || !last) return all
      after = last.name
    }
  }),
  /** Returns namespaces in any state, by id. */
  page: read(({ after = '', limit }: Page) =>
    find('namespaces: page', 'namespaces', { id: { gt: after } }, ['id'], limit),
  ),
  /** Returns namespaces by their number of operations in progress, then by id. */
  open: read(function* ({ limit, after }: PageAfter<Pick<Namespace, 'openCount' | 'id'>>): ReadProtocol<Namespace[]> {
    const from = after && { count: after.openCount, id: after.id }
    return yield* underWay(limit, from, ({ count, ...id }, rest) =>
      find('namespaces: open', 'namespaces', { openCount: count, ...id }, ['openCount', 'id'], rest),
    )
  }),
  deleting: read((limit: number) => find('namespaces: deleting', 'namespaces', { state: 'deleting' }, ['id'], limit)),
  /** The caller replaces the points. Returns false when the embedding is not `from`, or there is a reindex. */
  *setEmbedding(id: string, from: EmbeddingModel, to: EmbeddingModel): Protocol<boolean> {
    const set = { embedding: to }
    return yield* updateIf('namespaces: set embedding', 'namespaces', [id], withoutReindex(from), { set })
  },
  /** Returns namespaces by id. Some may be being deleted. */
  reindexing: read(function* ({
    phase,
    after = '',
    limit,
  }: Page & { readonly phase: Reindex['phase'] }): ReadProtocol<Namespace[]> {
    const where = { reindexPhase: phase, id: { gt: after } }
    return yield* find('namespaces: reindexing', 'namespaces', where, ['id'], limit)
  }),
  /** Returns false when there is a reindex, or the embedding is not `from`. */
  *beginReindex(id: string, from: EmbeddingModel, reindex: Reindex): Protocol<boolean> {
    const set = { reindex, reindexPhase: reindex.phase }
    return yield* updateIf('namespaces: begin reindex', 'namespaces', [id], withoutReindex(from), { set })
  },
  /** Returns undefined if the reindex has another id, or entered this phase at another time. */
  changeReindex: (
    id: string,
    expected: Pick<Reindex, 'id' | 'phase' | 'phaseAt'>,
    change: Partial<Omit<Reindex, 'id' | 'embedding'>>,
  ) =>
    updateOne('namespaces: change reindex', 'namespaces', [id], inPhase(expected), {
      set: {
        ...Object.fromEntries(Object.entries(change).map(([field, value]) => [`reindex.${field}`, value])),
        ...(change.phase && { reindexPhase: change.phase }),
      },
    }),
  /** Takes effect only while the reindex keeps queries and is in this phase. */
  *keepQuery(
    id: string,
    expected: Pick<Reindex, 'id'> & { readonly phase: 'filling' | 'filled' },
    text: string,
  ): Protocol<void> {
    const push = { 'reindex.queries': [text] }
    yield* updateIf('namespaces: keep query', 'namespaces', [id], inPhase(expected), { push })
  },
  /**
   * Switches the models of a reindex in `closing`; its phase becomes `former`. False: not in `closing` since that time.
   * `at`: wall time.
   */
  *flipReindex(id: string, expected: Pick<Reindex, 'id' | 'phaseAt'>, at: number): Protocol<boolean> {
    const namespace = yield* getOne('namespaces: read before flip', 'namespaces', id)
    const { embedding, reindex } = namespace ?? {}
    if (!embedding || !reindex) return false
    return yield* updateIf(
      'namespaces: flip',
      'namespaces',
      [id],
      { ...inPhase({ ...expected, phase: 'closing' }), ...hasModel(embedding) },
      {
        set: {
          embedding: reindex.embedding,
          reindexPhase: 'former',
          'reindex.embedding': embedding,
          'reindex.phase': 'former',
          'reindex.phaseAt': at,
          'reindex.flippedAt': at,
          'reindex.cursor': null,
          'reindex.error': null,
        },
      },
    )
  },
  /** Takes effect only in `removing`; the model of the reindex is added to `formerEmbeddings`. */
  *endReindex(id: string, reindexId: string): Protocol<boolean> {
    const namespace = yield* getOne('namespaces: read before end', 'namespaces', id)
    const { reindex, formerEmbeddings = [] } = namespace ?? {}
    if (!reindex) return false
    const others = formerEmbeddings.filter((former) => identityOf(former) !== identityOf(reindex.embedding))
    return yield* updateIf(
      'namespaces: end reindex',
      'namespaces',
      [id],
      inPhase({ id: reindexId, phase: 'removing' }),
      { set: { reindex: null, reindexPhase: null, formerEmbeddings: [...others, reindex.embedding] } },
    )
  },
  ...reextractions,
  /** Records that all points have the lexemes of this version. */
  *setPointsRenewed(id: string): Protocol<void> {
    yield* updateIf('namespaces: set points renewed', 'namespaces', [id], {}, { set: { lexemes: lexemesVersion } })
  },
  isRetired: read((id: string) => isRetired(id)),
}
