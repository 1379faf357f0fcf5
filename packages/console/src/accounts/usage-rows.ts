import type { OwnUsage } from '@cairn/client'

export type History = Pick<OwnUsage, 'by' | 'from' | 'to' | 'rows' | 'other' | 'total'>

/** Maximum rows of namespaces or keys that are shown. */
const shownRows = 20

export const shortDay = (day: string): string =>
  new Date(day).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns the maximum number of requests in a row, and the heights of all bars in a chart of the given height. */
export const barsOf = (rows: History['rows'], height: number) => {
  const most = Math.max(0, ...rows.map(({ requests }) => requests))
  // A day with few requests must not look like a day without requests.
  const heights = rows.map(({ requests }) => (requests === 0 ? 0 : Math.max(2, (requests / most) * height)))
  return { most, heights }
}

/** Returns the rows that are shown, and the requests of all others. */
export const rankingOf = ({ rows, other }: Pick<History, 'rows' | 'other'>) => ({
  shown: rows.slice(0, shownRows),
  others: rows.slice(shownRows).reduce((sum, { requests }) => sum + requests, other.requests),
})
