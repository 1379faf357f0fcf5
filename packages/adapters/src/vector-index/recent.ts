const maxEntries = 100_000

/** Values may be as old as `maxAgeMs`. A promise that rejects is not cached. */
export const createRecent = <V>(maxAgeMs: number) => {
  const entries = new Map<string, { readonly value: V; readonly at: number }>()
  return (key: string, compute: () => V): V => {
    const now = performance.now()
    const known = entries.get(key)
    if (known && now - known.at < maxAgeMs) return known.value
    if (entries.size >= maxEntries) entries.clear()
    const value = compute()
    entries.set(key, { value, at: now })
    if (value instanceof Promise) value.catch(() => entries.delete(key))
    return value
  }
}
