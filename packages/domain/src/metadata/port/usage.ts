import type { Usage } from '../records.ts'

export interface UsageStore {
  get(accountId: string, period: string): Promise<Usage | undefined>
  /**
   * Adds counts without a condition, of any number of accounts at once, each (account, period) once. Resolves to the
   * sums in the same order; additions by others at that moment may be missing.
   */
  add(tallies: readonly Usage[]): Promise<Usage[]>
  /** Adds one request and its credits while requests stay within `limit`; otherwise undefined. */
  addWithin(accountId: string, period: string, credits: number, limit: number): Promise<Usage | undefined>
}
