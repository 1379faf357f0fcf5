import type { Account } from '../records.ts'
import type { Page } from './common.ts'

export interface AccountStore {
  /** AppError `conflict` when the id exists. */
  insert(account: Pick<Account, 'id' | 'name' | 'tier' | 'subscriptionEndsAt' | 'createdAt'>): Promise<Account>
  get(id: string): Promise<Account | undefined>
  page(page: Page): Promise<Account[]>
  update(
    id: string,
    change: Partial<Pick<Account, 'name' | 'tier' | 'subscriptionEndsAt'>>,
  ): Promise<Account | undefined>
  /** Returns accounts with operations in progress, by their number and id. */
  reserving(page: {
    readonly limit: number
    readonly after?: Pick<Account, 'reservationCount' | 'id'> | undefined
  }): Promise<Account[]>
}
