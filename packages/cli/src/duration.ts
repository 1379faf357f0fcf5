/** Returns for example `less than 0.1 s`, `12.4 s`, `3 min` or `1.4 h`. */
export const duration = (seconds: number): string => {
  if (seconds < 0.1) return 'less than 0.1 s'
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  return seconds < 6_000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
