import { AppError } from '@cairn/contracts/errors'
import { type EmbeddingModel, identityOf } from '../ports/embedder.ts'
import { nothing } from './entry.ts'
import type { ProtocolOf } from './jobs.ts'
import { isRetired } from './object-owners.ts'
import type { AccountStore, DeadLetterStore, KeyStore, NamespaceStore, UsageStore } from './port.ts'
import type { Reindex } from './records.ts'
import { reextractions } from './reextractions.ts'
import {
  find,
  get,
  getOne,
  insert,
  insertOne,
  type Protocol,
  type ReadProtocol,
  read,
  removeAll,
  updateBlindly,
  updateOne,
  type WhereOf,
} from './steps.ts'

function* mustInsert(inserted: Protocol<boolean>, what: string): Protocol<void> {
  if (!(yield* inserted)) throw new AppError('conflict', `${what} of this id exists.`)
}

type UnderWay = { readonly count: number | { readonly gt: number }; readonly id?: { readonly gt: string } }

/** Reads a page of records with operations in progress, by their number and id, after those of a number and an id. */
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

export const accounts: ProtocolOf<AccountStore> = {
  *insert(draft) {
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
  get: read(function* (id) {
    return yield* getOne('accounts: get', 'accounts', id)
  }),
  page: read(function* ({ after = '', limit }) {
    return yield* find('accounts: page', 'accounts', { id: { gt: after } }, ['id'], limit)
  }),
  *update(id, change) {
    return yield* updateOne('accounts: update', 'accounts', [id], {}, { set: change })
  },
  reserving: read(function* ({ limit, after }) {
    const from = after && { count: after.reservationCount, id: after.id }
    return yield* underWay(limit, from, ({ count, ...id }, rest) =>
      find('accounts: reserving', 'accounts', { reservationCount: count, ...id }, ['reservationCount', 'id'], rest),
    )
  }),
}

export const keys: ProtocolOf<KeyStore> = {
  *insert(key) {
    yield* mustInsert(insertOne('keys: insert', 'apiKeys', key), 'A key')
  },
  get: read(function* (id) {
    return yield* getOne('keys: get', 'apiKeys', id)
  }),
  ofAccount: read(function* (accountId) {
    return yield* find('keys: of account', 'apiKeys', { accountId }, ['id'], 1_000)
  }),
  *setState(id, state) {
    // A revoked key stays revoked: its holder must never be admitted again.
    const set = yield* updateOne('keys: set state', 'apiKeys', [id], { state: { ne: 'revoked' } }, { set: { state } })
    if (set) return set
    const key = yield* getOne('keys: read', 'apiKeys', id)
    if (key && state !== 'revoked')
      throw new AppError('conflict', 'A revoked key cannot be enabled again; create a new one.')
    return key
  },
  *used(id, at) {
    yield* updateOne('keys: used', 'apiKeys', [id], {}, { set: { lastUsedAt: at } })
  },
}

/** A reindex in this phase, which it entered at this time: it may enter a phase more than once. */
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

export const namespaces: ProtocolOf<NamespaceStore> = {
  byName: read(function* (accountId, name) {
    return (yield* find('namespaces: by name', 'namespaces', { accountId, name }, ['id'], 1))[0]
  }),
  get: read(function* (id) {
    return yield* getOne('namespaces: get', 'namespaces', id)
  }),
  ofAccount: read(function* (accountId) {
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
  page: read(function* ({ after = '', limit }) {
    return yield* find('namespaces: page', 'namespaces', { id: { gt: after } }, ['id'], limit)
  }),
  open: read(function* ({ limit, after }) {
    const from = after && { count: after.openCount, id: after.id }
    return yield* underWay(limit, from, ({ count, ...id }, rest) =>
      find('namespaces: open', 'namespaces', { openCount: count, ...id }, ['openCount', 'id'], rest),
    )
  }),
  deleting: read(function* (limit) {
    return yield* find('namespaces: deleting', 'namespaces', { state: 'deleting' }, ['id'], limit)
  }),
  *setEmbedding(id, from, to) {
    const set = { embedding: to }
    return (
      (yield* updateOne('namespaces: set embedding', 'namespaces', [id], withoutReindex(from), { set })) !== undefined
    )
  },
  reindexing: read(function* ({ phase, after = '', limit }) {
    const where = { reindexPhase: phase, id: { gt: after } }
    return yield* find('namespaces: reindexing', 'namespaces', where, ['id'], limit)
  }),
  *beginReindex(id, from, reindex) {
    const set = { reindex, reindexPhase: reindex.phase }
    return (
      (yield* updateOne('namespaces: begin reindex', 'namespaces', [id], withoutReindex(from), { set })) !== undefined
    )
  },
  *changeReindex(id, expected, change) {
    return yield* updateOne('namespaces: change reindex', 'namespaces', [id], inPhase(expected), {
      set: {
        ...Object.fromEntries(Object.entries(change).map(([field, value]) => [`reindex.${field}`, value])),
        ...(change.phase && { reindexPhase: change.phase }),
      },
    })
  },
  *keepQuery(id, expected, text) {
    const push = { 'reindex.queries': [text] }
    yield* updateOne('namespaces: keep query', 'namespaces', [id], inPhase(expected), { push }, ['id'])
  },
  *flipReindex(id, expected, at) {
    const namespace = yield* getOne('namespaces: read before flip', 'namespaces', id)
    const { embedding, reindex } = namespace ?? {}
    if (!embedding || !reindex) return false
    const flipped = yield* updateOne(
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
    return flipped !== undefined
  },
  *endReindex(id, reindexId) {
    const namespace = yield* getOne('namespaces: read before end', 'namespaces', id)
    const { reindex, formerEmbeddings = [] } = namespace ?? {}
    if (!reindex) return false
    const others = formerEmbeddings.filter((former) => identityOf(former) !== identityOf(reindex.embedding))
    const ended = yield* updateOne(
      'namespaces: end reindex',
      'namespaces',
      [id],
      inPhase({ id: reindexId, phase: 'removing' }),
      { set: { reindex: null, reindexPhase: null, formerEmbeddings: [...others, reindex.embedding] } },
    )
    return ended !== undefined
  },
  ...reextractions,
  *setHasFields(id) {
    yield* updateOne('namespaces: set has fields', 'namespaces', [id], {}, { set: { hasFields: true } })
  },
  isRetired: read(function* (id) {
    return yield* isRetired(id)
  }),
}

export const deadLetters: ProtocolOf<DeadLetterStore> = {
  *insert(letter) {
    yield* mustInsert(insertOne('dead letters: insert', 'deadLetters', letter), 'A dead letter')
  },
  page: read(function* ({ after = '', limit }) {
    return yield* find('dead letters: page', 'deadLetters', { id: { gt: after } }, ['id'], limit)
  }),
  get: read(function* (id) {
    return yield* getOne('dead letters: get', 'deadLetters', id)
  }),
  *replayed(id, at) {
    yield* updateOne('dead letters: replayed', 'deadLetters', [id], {}, { set: { replayedAt: at } })
  },
  *prune(before, limit) {
    const first = yield* find('dead letters: find old', 'deadLetters', { id: { gt: '' } }, ['id'], limit, ['id', 'at'])
    const old = first.filter(({ at }) => at < before)
    return yield* removeAll(
      'dead letters: prune',
      'deadLetters',
      old.map(({ id }) => [id]),
    )
  },
}

export const usage: ProtocolOf<UsageStore> = {
  get: read(function* (accountId, period) {
    return yield* getOne('usage: get', 'usage', accountId, period)
  }),
  *add(tallies) {
    const keys = tallies.map(({ accountId, period }) => [accountId, period])
    const stored = yield* get('usage: read', 'usage', keys)
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
  *addWithin(accountId, period, credits, limit) {
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
