const maxCached = 4_096
const kept = new Map<number, string>()

/** Caches texts, because a few times, the creation times of namespaces, recur. */
export const iso = (at: number): string => {
  const cached = kept.get(at)
  if (cached !== undefined) return cached
  const text = new Date(at).toISOString()
  if (kept.size >= maxCached) kept.clear()
  kept.set(at, text)
  return text
}
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))
