/**
 * Parses a `Retry-After` header: the milliseconds from `now` (since the epoch) to its seconds or HTTP date. Undefined
 * for anything else.
 */
export const retryAfterMs = (value: string | null | undefined, now: number): number | undefined => {
  if (value === null || value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
