import type { Usage } from '../records.ts'

export interface UsageStore {
  get(accountId: string, period: string): Promise<Usage | undefined>
  /**
   * Adds what was tallied in memory, without a condition, of any number of accounts at once; each (account, period) once. Resolves to
   * the sums in the same order, in which what others added in that moment may be missing.
   */
  add(tallies: readonly Usage[]): Promise<Usage[]>
  /** Adds one request and its credits only while requests stay within `limit`; undefined when they would not. */
  addWithin(accountId: string, period: string, credits: number, limit: number): Promise<Usage | undefined>
}
