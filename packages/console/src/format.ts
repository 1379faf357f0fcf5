const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Formats the time since then: `3 hours ago`. */
export const age = (iso: string | null | undefined): string => {
  if (!iso) return '–'
  const seconds = (Date.now() - Date.parse(iso)) / 1_000
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return unit === 'second' ? 'just now' : relative.format(-Math.round(seconds / size), unit)
}

export const dateTime = (iso: string): string =>
  new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })

export const number = (value: number): string => value.toLocaleString('en')

/** Formats a change of a share, with its sign: `+0.012`. */
export const change = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(3)}`

/** Formats a count: `1 document`, `2 documents`. */
export const plural = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`

export const bytes = (value: number): string => {
  if (value < 1_024) return `${value} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log2(value) / 10), units.length)
  const scaled = value / 1_024 ** power
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power - 1]}`
}

/** Formats a duration: `12 ms`, `1.4 s`, `3 min`. */
export const duration = (seconds: number): string => {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** Formats pairs of a stage and its seconds: `reading 12 ms · indexing 1.4 s`. */
export const stageTimes = (timings: readonly (readonly [string, number])[]): string =>
  timings.map(([stage, seconds]) => `${stage.replaceAll('_', ' ')} ${duration(seconds)}`).join(' · ')

/** Formats the time until then, at least one second: `12 s`, `3 min`. */
export const timeLeft = (iso: string): string =>
  duration(Math.max(1, Math.round((Date.parse(iso) - Date.now()) / 1_000)))
