import type { DeadLetter } from '../records.ts'
import type { Page } from './common.ts'

export interface DeadLetterStore {
  insert(letter: DeadLetter): Promise<void>
  page(page: Page): Promise<DeadLetter[]>
  get(id: string): Promise<DeadLetter | undefined>
  replayed(id: string, at: number): Promise<void>
  /**
   * Removes up to `limit` dead letters from before this wall time; resolves to the number removed. Reads as many of the
   * first by id, which begins with the creation time.
   */
  prune(before: number, limit: number): Promise<number>
}
