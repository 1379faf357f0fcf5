import type { DailyTally, DailyUsageKind } from '@cairn/domain/accounts/daily-usage'

/** Names of one kind with their own rows, per account and day. */
export const maxNames = 200
/** All accounts together, so that names can't fill memory. */
export const maxNamesInAll = 100_000
/** Counts beyond these limits. Neither a namespace nor a key can have this name. */
export const otherName = '*'

export type Counted = { readonly requests: number; readonly credits: number }
type Row = { -readonly [F in keyof DailyTally]: DailyTally[F] }

/** Names keep their rows for the day, so the limits hold however often the counts are taken. */
export const createDailyTallies = () => {
  let today = ''
  let former = ''
  let names = 0
  /** By day, kind and account, then by name. Holds today's rows, and yesterday's counted since the last rollover. */
  const groups = new Map<string, Map<string, Row>>()
  const changed = new Set<Row>()

  const rowOf = (accountId: string, day: string, kind: DailyUsageKind, name: string): Row => {
    const place = `${day} ${kind} ${accountId}`
    const group = groups.get(place) ?? new Map<string, Row>()
    const existing = group.get(name)
    if (existing) return existing
    const isFull = group.size >= maxNames || names >= maxNamesInAll
    if (isFull && name !== otherName) return rowOf(accountId, day, kind, otherName)
    const row = { accountId, day, kind, name, requests: 0, credits: 0 }
    groups.set(place, group.set(name, row))
    names += 1
    return row
  }

  return {
    add: (accountId: string, day: string, kind: DailyUsageKind, name: string, { requests, credits }: Counted): void => {
      // Requests that began before midnight may be counted later; they must not start the day's rows again.
      if (day !== today && day !== former) {
        former = today
        today = day
        names = 0
        groups.clear()
      }
      const row = rowOf(accountId, day, kind, name)
      row.requests += requests
      row.credits += credits
      changed.add(row)
    },
    /** Returns what was added since the last call. */
    take: (): DailyTally[] => {
      const taken = [...changed].map((row) => ({ ...row }))
      for (const row of changed) Object.assign(row, { requests: 0, credits: 0 })
      changed.clear()
      return taken
    },
  }
}
