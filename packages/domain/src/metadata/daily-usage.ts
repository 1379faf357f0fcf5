import type { ProtocolOf } from './jobs.ts'
import type { DailyTally, DailyUsageStore } from './port.ts'
import { find, get, insert, read, removeAll, updateBlindly } from './steps.ts'

/** By kind first, so that the rows of a kind are one range of the key. */
const entryOf = ({ kind, day, name }: DailyTally): string => `${kind}/${day}/${name}`

export const dailyUsage: ProtocolOf<DailyUsageStore> = {
  *add(tallies) {
    const rows = tallies.map((tally) => ({ ...tally, entry: entryOf(tally) }))
    const keys = rows.map(({ accountId, entry }) => [accountId, entry])
    const stored = yield* get('daily usage: read', 'dailyUsage', keys, ['entry'])
    const begun = rows.flatMap((row, index) => (stored[index] ? [] : [{ ...row, requests: 0, credits: 0 }]))
    // Another gateway may create the same row: the increments below find whichever was created.
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
  page: read(function* (accountId, kind, { from, to, after, limit }) {
    // "0" is the character after "/": the range ends after the last name of the last day.
    const entry = { gt: after ?? `${kind}/${from}/`, lt: `${kind}/${to}0` }
    return yield* find('daily usage: page', 'dailyUsage', { accountId, entry }, ['entry'], limit)
  }),
  *prune(before, limit) {
    const fields = ['accountId', 'entry'] as const
    const old = yield* find('daily usage: find old', 'dailyUsage', { day: { lt: before } }, ['day'], limit, fields)
    return yield* removeAll(
      'daily usage: prune',
      'dailyUsage',
      old.map(({ accountId, entry }) => [accountId, entry]),
    )
  },
}
