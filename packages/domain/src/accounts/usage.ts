import {
  get,
  getOne,
  guarded,
  insert,
  insertOne,
  type Protocol,
  read,
  updateBlindly,
  updateOne,
} from '../protocol/steps.ts'
import type { Usage } from './record.ts'

export const usage = {
  get: read((accountId: string, period: string) => getOne('usage: get', 'usage', accountId, period)),
  /**
   * Adds without a condition; each pair of account and period may occur once. Returns the sums in the same order;
   * concurrent additions may be missing.
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
  /** Adds one request if the requests stay within `limit`; otherwise returns undefined. */
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
