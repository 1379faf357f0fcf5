import { mustInsert } from '../protocol/must-insert.ts'
import type { Page } from '../protocol/page.ts'
import { find, getOne, insertOne, type Protocol, type ReadProtocol, read, updateOne } from '../protocol/steps.ts'
import { type PageAfter, underWay } from '../protocol/under-way.ts'
import { nothing } from './entry.ts'
import type { Account } from './record.ts'

export const accounts = {
  /** Throws AppError `conflict` when the id exists. */
  *insert(draft: Pick<Account, 'id' | 'name' | 'tier' | 'subscriptionEndsAt' | 'createdAt'>): Protocol<Account> {
    const account = {
      ...draft,
      counts: nothing,
      held: nothing,
      reservations: {},
      reservationCount: 0,
      seq: 0,
      noted: {},
    }
    yield* mustInsert(insertOne('accounts: insert', 'accounts', account), 'An account')
    return account
  },
  get: read((id: string) => getOne('accounts: get', 'accounts', id)),
  page: read(({ after = '', limit }: Page) => find('accounts: page', 'accounts', { id: { gt: after } }, ['id'], limit)),
  update: (id: string, change: Partial<Pick<Account, 'name' | 'tier' | 'subscriptionEndsAt'>>) =>
    updateOne('accounts: update', 'accounts', [id], {}, { set: change }),
  /** Returns accounts by their number of operations in progress, then by id. */
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
