import {
  find,
  get,
  guarded,
  insert,
  type Protocol,
  type ReadProtocol,
  read,
  removeFound,
  updateBlindly,
} from '../protocol/steps.ts'
import type { DailyUsage } from './record.ts'

export type DailyUsageKind = DailyUsage['kind']

export type DailyTally = Omit<DailyUsage, 'entry'>

/** The kind comes first, so that the rows of a kind are one range of the key. */
const entryOf = ({ kind, day, name }: DailyTally): string => `${kind}/${day}/${name}`

export const dailyUsage = {
  /** Adds without a condition; creates missing rows. */
  *add(tallies: readonly DailyTally[]): Protocol<void> {
    const rows = tallies.map((tally) => ({ ...tally, entry: entryOf(tally) }))
    const keys = rows.map(({ accountId, entry }) => [accountId, entry])
    const stored = yield* guarded(get('daily usage: read', 'dailyUsage', keys, ['entry']))
    const begun = rows.flatMap((row, index) => (stored[index] ? [] : [{ ...row, requests: 0, credits: 0 }]))
    // Another gateway may create the same row; the increments below work in both cases.
    if (begun.length > 0) yield* insert('daily usage: create rows', 'dailyUsage', begun)
    yield* updateBlindly(
      'daily usage: add',
      'dailyUsage',
      rows.map(({ requests, credits }, index) => ({
        key: keys[index] ?? [],
        where: {},
        change: { inc: { requests, credits } },
      })),
    )
  },
  /** Rows of one kind by day and name; both days included. `after`: `entry` of the last row of the previous page. */
  page: read(function* (
    accountId: string,
    kind: DailyUsageKind,
    {
      from,
      to,
      after,
      limit,
    }: { readonly from: string; readonly to: string; readonly after?: string | undefined; readonly limit: number },
  ): ReadProtocol<DailyUsage[]> {
    // "0" is the character after "/", so the range ends after the last name of the last day.
    const entry = { gt: after ?? `${kind}/${from}/`, lt: `${kind}/${to}0` }
    return yield* find('daily usage: page', 'dailyUsage', { accountId, entry }, ['entry'], limit)
  }),
  /** Removes up to `limit` rows of days before this day; returns the number removed. */
  *prune(before: string, limit: number): Protocol<number> {
    const fields = ['accountId', 'entry'] as const
    const old = find('daily usage: find old', 'dailyUsage', { day: { lt: before } }, ['day'], limit, fields)
    return yield* removeFound('daily usage: prune', 'dailyUsage', guarded(old))
  },
}
