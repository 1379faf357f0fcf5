const hourMs = 3_600_000

/**
 * Counts the bytes that are stored for each owner within an hour. In memory, for one process: it bounds what a client
 * can make this process store, and forgets everything with it.
 */
export const createKeptBytes = (clock: { monotonic(): number }, bytesPerHour: number) => {
  let from = Number.NEGATIVE_INFINITY
  const byOwner = new Map<string, number>()
  const current = () => {
    if (clock.monotonic() - from < hourMs) return byOwner
    from = clock.monotonic()
    byOwner.clear()
    return byOwner
  }
  return {
    isFull: (owner: string): boolean => (current().get(owner) ?? 0) >= bytesPerHour,
    add: (owner: string, bytes: number): void => void current().set(owner, (byOwner.get(owner) ?? 0) + bytes),
  }
}
