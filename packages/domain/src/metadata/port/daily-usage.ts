import type { DailyUsage } from '../records.ts'

export type DailyUsageKind = DailyUsage['kind']
/** Counts to add to a row. */
export type DailyTally = Omit<DailyUsage, 'entry'>

export interface DailyUsageStore {
  /** Adds counts without a condition, to any number of rows at once. Missing rows are created. */
  add(tallies: readonly DailyTally[]): Promise<void>
  /**
   * Returns rows of one kind from day to day, both included, in order of day and name. `after`: the `entry` of the last
   * row of the page before.
   */
  page(
    accountId: string,
    kind: DailyUsageKind,
    range: { readonly from: string; readonly to: string; readonly after?: string | undefined; readonly limit: number },
  ): Promise<DailyUsage[]>
  /** Removes rows of days before this one; resolves to the number removed. */
  prune(before: string, limit: number): Promise<number>
}
