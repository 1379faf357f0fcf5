import type { DeadLetter } from '../records.ts'
import type { Page } from './common.ts'

export interface DeadLetterStore {
  insert(letter: DeadLetter): Promise<void>
  page(page: Page): Promise<DeadLetter[]>
  get(id: string): Promise<DeadLetter | undefined>
  replayed(id: string, at: number): Promise<void>
  /**
   * Removes up to `limit` of before this wall time; resolves to the number removed. Looks at so many of the first by id, which begins
   * with the time of making.
   */
  prune(before: number, limit: number): Promise<number>
}
