/** A flood of names must not fill memory: further names are counted together. */
const maxNames = 10_000

/** Counts per name and time window, in memory: limits what a client can make this process do. */
export const createWindowCount = (
  clock: { monotonic(): number },
  { windowMs, max }: { readonly windowMs: number; readonly max: number },
) => {
  let from = Number.NEGATIVE_INFINITY
  const byName = new Map<string, number>()
  const current = () => {
    if (clock.monotonic() - from < windowMs) return byName
    from = clock.monotonic()
    byName.clear()
    return byName
  }
  const nameIn = (counts: ReadonlyMap<string, number>, name: string) =>
    counts.has(name) || counts.size < maxNames ? name : ''
  return {
    isFull: (name: string): boolean => {
      const counts = current()
      return (counts.get(nameIn(counts, name)) ?? 0) >= max
    },
    add: (name: string, amount = 1): void => {
      const counts = current()
      const counted = nameIn(counts, name)
      counts.set(counted, (counts.get(counted) ?? 0) + amount)
    },
  }
}
