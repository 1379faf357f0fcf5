import { AppError } from '@cairn/contracts/errors'
import { lexemesVersion } from '../lexemes-version.ts'
import { type EmbeddingModel, identityOf } from '../ports/embedder.ts'
import { nothing } from './entry.ts'
import { isRetired } from './object-owners.ts'
import type { Account, ApiKey, DeadLetter, KeyState, Namespace, Page, Reindex, Usage } from './records.ts'
import { reextractions } from './reextractions.ts'
import {
  find,
  get,
  getOne,
  guarded,
  insert,
  insertOne,
  type Protocol,
  type ReadProtocol,
  read,
  removeAll,
  updateBlindly,
  updateIf,
  updateOne,
  type WhereOf,
} from './steps.ts'

function* mustInsert(inserted: Protocol<boolean>, what: string): Protocol<void> {
  if (!(yield* inserted)) throw new AppError('conflict', `${what} of this id exists.`)
}

/** Page of a listing; `after`: the ordering fields of the previous page's last record. */
type PageAfter<T> = { readonly limit: number; readonly after?: T | undefined }
type UnderWay = { readonly count: number | { readonly gt: number }; readonly id?: { readonly gt: string } }

/**
 * Reads a page of records with operations in progress, ordered by the number of operations and by id, after the given
 * number and id.
 */
function* underWay<T>(
  limit: number,
  after: { readonly count: number; readonly id: string } | undefined,
  of: (where: UnderWay, limit: number) => ReadProtocol<T[]>,
): ReadProtocol<T[]> {
  if (!after) return yield* of({ count: { gt: 0 } }, limit)
  const { count, id } = after
  const same = yield* of({ count, id: { gt: id } }, limit)
  if (same.length === limit) return same
  return [...same, ...(yield* of({ count: { gt: count } }, limit - same.length))]
}

export const accounts = {
  /** Inserts an account. AppError `conflict` when the id exists. */
  *insert(draft: Pick<Account, 'id' | 'name' | 'tier' | 'subscriptionEndsAt' | 'createdAt'>): Protocol<Account> {
    const account = {
      ...draft,
      counts: nothing,
      held: nothing,
      reservations: {},
      reservationCount: 0,
      seq: 0,
      entryClosedUntil: 0,
      noted: {},
    }
    yield* mustInsert(insertOne('accounts: insert', 'accounts', account), 'An account')
    return account
  },
  get: read((id: string) => getOne('accounts: get', 'accounts', id)),
  page: read(({ after = '', limit }: Page) => find('accounts: page', 'accounts', { id: { gt: after } }, ['id'], limit)),
  update: (id: string, change: Partial<Pick<Account, 'name' | 'tier' | 'subscriptionEndsAt'>>) =>
    updateOne('accounts: update', 'accounts', [id], {}, { set: change }),
  /** Returns accounts with operations in progress, ordered by the number of operations and by id. */
  reserving: read(function* ({
    limit,
    after,
  }: PageAfter<Pick<Account, 'reservationCount' | 'id'>>): ReadProtocol<Account[]> {
    const from = after && { count: after.reservationCount, id: after.id }
    return yield* underWay(limit, from, ({ count, ...id }, rest) =>
      find('accounts: reserving', 'accounts', { reservationCount: count, ...id }, ['reservationCount', 'id'], rest),
    )
  }),
}

export const keys = {
  /** Inserts an API key. AppError `conflict` when the id exists. */
  *insert(key: ApiKey): Protocol<void> {
    yield* mustInsert(insertOne('keys: insert', 'apiKeys', key), 'A key')
  },
  get: read((id: string) => getOne('keys: get', 'apiKeys', id)),
  ofAccount: read((accountId: string) => find('keys: of account', 'apiKeys', { accountId }, ['id'], 1_000)),
  *setState(id: string, state: KeyState): Protocol<ApiKey | undefined> {
    // A revoked key stays revoked: its holder must never be admitted again.
    const set = yield* updateOne('keys: set state', 'apiKeys', [id], { state: { ne: 'revoked' } }, { set: { state } })
    if (set) return set
    const key = yield* getOne('keys: read', 'apiKeys', id)
    if (key && state !== 'revoked')
      throw new AppError('conflict', 'A revoked key cannot be enabled again; create a new one.')
    return key
  },
  *used(id: string, at: number): Protocol<void> {
    yield* updateIf('keys: used', 'apiKeys', [id], {}, { set: { lastUsedAt: at } })
  },
}

/**
 * Returns the condition for a reindex in this phase since `phaseAt`; the time is needed because a reindex may enter a
 * phase more than once.
 */
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
  /** Returns the account's active namespaces, by name. */
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
  /** Returns a page of the store's namespaces, in any state, by id. */
  page: read(({ after = '', limit }: Page) =>
    find('namespaces: page', 'namespaces', { id: { gt: after } }, ['id'], limit),
  ),
  /** Returns namespaces with operations in progress, ordered by the number of operations and by id. */
  open: read(function* ({ limit, after }: PageAfter<Pick<Namespace, 'openCount' | 'id'>>): ReadProtocol<Namespace[]> {
    const from = after && { count: after.openCount, id: after.id }
    return yield* underWay(limit, from, ({ count, ...id }, rest) =>
      find('namespaces: open', 'namespaces', { openCount: count, ...id }, ['openCount', 'id'], rest),
    )
  }),
  /** Returns namespaces that are being deleted. */
  deleting: read((limit: number) => find('namespaces: deleting', 'namespaces', { state: 'deleting' }, ['id'], limit)),
  /**
   * Changes the embedding of an active text namespace from `from`; the caller replaces the points. Returns false when
   * the embedding is not `from`, or when the namespace has a reindex.
   */
  *setEmbedding(id: string, from: EmbeddingModel, to: EmbeddingModel): Protocol<boolean> {
    const set = { embedding: to }
    return yield* updateIf('namespaces: set embedding', 'namespaces', [id], withoutReindex(from), { set })
  },
  /** Returns namespaces with a reindex in this phase, by id. Some may be being deleted. */
  reindexing: read(function* ({
    phase,
    after = '',
    limit,
  }: Page & { readonly phase: Reindex['phase'] }): ReadProtocol<Namespace[]> {
    const where = { reindexPhase: phase, id: { gt: after } }
    return yield* find('namespaces: reindexing', 'namespaces', where, ['id'], limit)
  }),
  /**
   * Begins a reindex of an active text namespace. Returns false when the namespace has a reindex, or its embedding is
   * not `from`.
   */
  *beginReindex(id: string, from: EmbeddingModel, reindex: Reindex): Protocol<boolean> {
    const set = { reindex, reindexPhase: reindex.phase }
    return yield* updateIf('namespaces: begin reindex', 'namespaces', [id], withoutReindex(from), { set })
  },
  /**
   * Changes the reindex if it still has this id and has been in this phase since this time. Returns the changed
   * namespace, else undefined.
   */
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
  /** Adds a query for the comparison of a reindex that keeps queries and is still in this phase. */
  *keepQuery(
    id: string,
    expected: Pick<Reindex, 'id'> & { readonly phase: 'filling' | 'filled' },
    text: string,
  ): Protocol<void> {
    const push = { 'reindex.queries': [text] }
    yield* updateIf('namespaces: keep query', 'namespaces', [id], inPhase(expected), { push })
  },
  /**
   * Lets the models of a reindex in `closing` switch places, in one step: the phase becomes `former`. Returns false
   * when the reindex has not been in `closing` since that time. `at`: wall time.
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
  /** Ends a reindex in `removing` and adds its model to `formerEmbeddings`. */
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
  /** Records that all points have been written by this version: with its lexemes, and the fields of their metadata. */
  *setPointsRenewed(id: string): Protocol<void> {
    const set = { hasFields: true, lexemes: lexemesVersion } as const
    yield* updateIf('namespaces: set points renewed', 'namespaces', [id], {}, { set })
  },
  /** Whether a namespace of this id has been deleted. */
  isRetired: read((id: string) => isRetired(id)),
}

export const deadLetters = {
  *insert(letter: DeadLetter): Protocol<void> {
    yield* mustInsert(insertOne('dead letters: insert', 'deadLetters', letter), 'A dead letter')
  },
  page: read(({ after = '', limit }: Page) =>
    find('dead letters: page', 'deadLetters', { id: { gt: after } }, ['id'], limit),
  ),
  get: read((id: string) => getOne('dead letters: get', 'deadLetters', id)),
  *replayed(id: string, at: number): Protocol<void> {
    yield* updateIf('dead letters: replayed', 'deadLetters', [id], {}, { set: { replayedAt: at } })
  },
  /**
   * Removes up to `limit` dead letters from before this wall time; returns the number removed. Reads the first `limit`
   * by id; ids begin with the creation time.
   */
  *prune(before: number, limit: number): Protocol<number> {
    const first = yield* guarded(
      find('dead letters: find old', 'deadLetters', { id: { gt: '' } }, ['id'], limit, ['id', 'at']),
    )
    const old = first.filter(({ at }) => at < before)
    return yield* removeAll(
      'dead letters: prune',
      'deadLetters',
      old.map(({ id }) => [id]),
    )
  },
}

export const usage = {
  get: read((accountId: string, period: string) => getOne('usage: get', 'usage', accountId, period)),
  /**
   * Adds counts without a condition, for any number of accounts at once; each pair of account and period may occur
   * once. Returns the sums in the same order; concurrent additions may be missing.
   */
  *add(tallies: readonly Usage[]): Protocol<Usage[]> {
    const keys = tallies.map(({ accountId, period }) => [accountId, period])
    const stored = yield* guarded(get('usage: read', 'usage', keys))
    const begun = tallies.flatMap((tally, index) => (stored[index] ? [] : [{ ...tally, requests: 0, credits: 0 }]))
    if (begun.length > 0) yield* insert('usage: begin periods', 'usage', begun)
    yield* updateBlindly(
      'usage: add',
      'usage',
      tallies.map(({ requests, credits }, index) => ({
        key: keys[index] ?? [],
        where: {},
        change: { inc: { requests, credits } },
      })),
    )
    return tallies.map((tally, index) => ({
      ...tally,
      requests: (stored[index]?.requests ?? 0) + tally.requests,
      credits: (stored[index]?.credits ?? 0) + tally.credits,
    }))
  },
  /** Adds one request and its credits if the requests stay within `limit`; otherwise returns undefined. */
  *addWithin(accountId: string, period: string, credits: number, limit: number): Protocol<Usage | undefined> {
    yield* insertOne('usage: begin period', 'usage', { accountId, period, requests: 0, credits: 0 })
    return yield* updateOne(
      'usage: add within',
      'usage',
      [accountId, period],
      { requests: { lte: limit - 1 } },
      { inc: { requests: 1, credits } },
    )
  },
}
