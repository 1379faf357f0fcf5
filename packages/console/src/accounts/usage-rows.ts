import type { OwnUsage } from '@cairn/client'

export type History = Pick<OwnUsage, 'by' | 'from' | 'to' | 'rows' | 'other' | 'total'>

const shownRows = 20

export const shortDay = (day: string): string =>
  new Date(day).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns the smallest even number from `value` on that has one digit other than 0; at least 2. */
const roundUp = (value: number): number => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return [2, 4, 6, 8, 10].map((step) => step * unit).find((step) => step >= value) ?? value
}

/** Returns the top of the axis, the heights of the bars, and the days below it. */
export const chartOf = (rows: History['rows'], height: number) => {
  const max = roundUp(Math.max(0, ...rows.map(({ requests }) => requests)))
  // A day with few requests must not look like a day without requests.
  const heights = rows.map(({ requests }) => (requests === 0 ? 0 : Math.max(2, (requests / max) * height)))
  const third = (rows.length - 1) / 3
  const labels = [0, third, third * 2, third * 3].map((at) => shortDay(rows[Math.round(at)]?.day ?? ''))
  return { max, heights, labels: [...new Set(labels)] }
}

export const rankingOf = ({ rows, other }: Pick<History, 'rows' | 'other'>) => ({
  shown: rows.slice(0, shownRows),
  others: rows.slice(shownRows).reduce((sum, { requests }) => sum + requests, other.requests),
})
