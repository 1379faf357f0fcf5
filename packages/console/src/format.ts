const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Returns for example `3 hours ago`. */
export const age = (iso: string | null | undefined): string => {
  if (!iso) return '–'
  const seconds = (Date.now() - Date.parse(iso)) / 1_000
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return unit === 'second' ? 'just now' : relative.format(-Math.round(seconds / size), unit)
}

export const dateTime = (iso: string): string =>
  new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Returns for example `12:03:41`. */
export const timeOfDay = (at: number): string => new Date(at).toLocaleTimeString('en', { hour12: false })

export const number = (value: number): string => value.toLocaleString('en')

/** Returns for example `+0.012`. */
export const change = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(3)}`

/** Returns for example `1 document` or `2 documents`. */
export const plural = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${number(value)} ${value === 1 ? noun : nouns}`

export const bytes = (value: number): string => {
  if (value < 1_024) return `${value} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log2(value) / 10), units.length)
  const scaled = value / 1_024 ** power
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power - 1]}`
}

/** Returns for example `12 ms`, `1.4 s` or `3 min`. */
export const duration = (seconds: number): string => {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** Returns for example `reading 12 ms · indexing 1.4 s`. */
export const stageTimes = (timings: readonly (readonly [string, number])[]): string =>
  timings.map(([stage, seconds]) => `${stage.replaceAll('_', ' ')} ${duration(seconds)}`).join(' · ')

/** In seconds; coarse, so that a time does not change with each estimate. */
const expectedSteps = [10, 20, 30, 45, 60, 120, 180, 300, 600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200]
/** Nine of ten estimates of the server are within this factor (docs/adr/0029). */
const estimateError = 2

/** Formats an estimate as a range: `in 10 to 60 s`. */
export const expectedIn = (iso: string): string => {
  const left = (Date.parse(iso) - Date.now()) / 1_000
  const least = expectedSteps.findLast((step) => step <= left / estimateError)
  const most = expectedSteps.find((step) => step >= left * estimateError)
  if (most === undefined) return 'in more than an hour'
  if (least === undefined) return `in less than ${duration(most)}`
  const [from, to] = [duration(least), duration(most)]
  return from.split(' ')[1] === to.split(' ')[1] ? `in ${from.split(' ')[0]} to ${to}` : `in ${from} to ${to}`
}
