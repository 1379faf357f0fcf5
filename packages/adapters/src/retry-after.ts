/** The header has seconds or an HTTP date. Returns the time from `now` (milliseconds since the epoch). */
export const retryAfterMs = (value: string | null | undefined, now: number): number | undefined => {
  if (value === null || value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
