import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidField } from '@cairn/contracts/api/failures'
import type { operations } from '@cairn/contracts/api/operations'
import { limits } from '@cairn/contracts/limits'
import type { DailyUsageKind } from '@cairn/domain/accounts/daily-usage'
import type { DailyUsage } from '@cairn/domain/accounts/record'
import type { QueryOf } from '@cairn/runtime/http/endpoint'
import { type Counted, otherName } from '../daily-tallies.ts'
import type { GatewayPorts } from '../deps.ts'
import { dayOf } from '../usage-meter.ts'

const dayMs = 86_400_000
const defaultDays = 30
const rowsAtOnce = 1_000
const nothing: Counted = { requests: 0, credits: 0 }

type UsageQuery = QueryOf<typeof operations.getOwnUsage>
type Range = { readonly from: string; readonly to: string }

const daysBefore = (day: string, days: number): string => dayOf(Date.parse(day) - days * dayMs)

/** Returns all days, both ends included. */
const daysOf = ({ from, to }: Range): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, index) => daysBefore(from, -index))

const plus = (a: Counted, b: Counted): Counted => ({
  requests: a.requests + b.requests,
  credits: a.credits + b.credits,
})
const sumOf = (all: Iterable<Counted>): Counted => [...all].reduce(plus, nothing)

/** Adds up rows by day or by name. */
const readSums = async (
  { store }: Pick<GatewayPorts, 'store'>,
  accountId: string,
  kind: DailyUsageKind,
  range: Range,
  groupOf: (row: DailyUsage) => string,
): Promise<Map<string, Counted>> => {
  const sums = new Map<string, Counted>()
  for (let after: string | undefined; ; ) {
    const rows = await store.dailyUsage.page(accountId, kind, { ...range, after, limit: rowsAtOnce })
    for (const row of rows) sums.set(groupOf(row), plus(sums.get(groupOf(row)) ?? nothing, row))
    if (rows.length < rowsAtOnce) return sums
    after = rows.at(-1)?.entry
    // 400 days of 200 namespaces take a quarter of a second, in which other requests must run.
    await nextTurn()
  }
}

const rangeOf = (sent: { readonly [F in keyof Range]?: Range[F] | undefined }, today: string): Range => {
  const to = sent.to ?? today
  const from = sent.from ?? daysBefore(to, defaultDays - 1)
  if (from > to) throw invalidField('from', `must not be after to (from ${from}, to ${to})`)
  if (from < daysBefore(to, limits.usageDays - 1))
    throw invalidField('from', `must be at most ${limits.usageDays - 1} days before to (from ${from}, to ${to})`)
  return { from, to }
}

/** Names with the most requests, up to the rows of a response; the rest is summed. */
const ranked = (sums: ReadonlyMap<string, Counted>) => {
  const named = [...sums].filter(([name]) => name !== otherName)
  const sorted = named.toSorted(([a, one], [b, two]) => two.requests - one.requests || (a < b ? -1 : 1))
  const rest = sorted.slice(limits.usageRows).map(([, counted]) => counted)
  return { best: sorted.slice(0, limits.usageRows), other: sumOf([sums.get(otherName) ?? nothing, ...rest]) }
}

const byName = ({ name }: DailyUsage): string => name

/** Throws AppError `invalid` for an invalid range. */
export const readUsageHistory = async (
  deps: Pick<GatewayPorts, 'store' | 'clock'>,
  accountId: string,
  { by, ...sent }: UsageQuery,
) => {
  const range = rangeOf(sent, dayOf(deps.clock.now()))
  // Every request has exactly one key, so these rows add up to the total.
  const ofKeys = readSums(deps, accountId, 'key', range, by === 'key' ? byName : ({ day }) => day)
  const head = { ...range, by }
  if (by === 'day') {
    const sums = await ofKeys
    const rows = daysOf(range).map((day) => ({ day, ...(sums.get(day) ?? nothing) }))
    return { ...head, rows, other: nothing, total: sumOf(sums.values()) }
  }
  if (by === 'key') {
    const [sums, keys] = await Promise.all([ofKeys, deps.store.keys.ofAccount(accountId)])
    const names = new Map(keys.map(({ id, name }) => [id, name]))
    const { best, other } = ranked(sums)
    const rows = best.map(([id, counted]) => ({ key_id: id, key_name: names.get(id) ?? '', ...counted }))
    return { ...head, rows, other, total: sumOf(sums.values()) }
  }
  const [sums, ofNamespaces] = await Promise.all([ofKeys, readSums(deps, accountId, 'namespace', range, byName)])
  const { best, other } = ranked(ofNamespaces)
  const rows = best.map(([name, counted]) => ({ namespace_name: name, ...counted }))
  return { ...head, rows, other, total: sumOf(sums.values()) }
}
