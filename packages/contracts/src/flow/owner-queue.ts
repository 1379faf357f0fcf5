/**
 * Creates a round-robin queue: owners take turns of one entry each, however many entries an owner has. The entries of
 * an owner keep their order.
 */
export const createOwnerQueue = <T>() => {
  const waiting = new Map<string, T[]>()
  return {
    add: (owner: string, entry: T): void => {
      const entries = waiting.get(owner)
      if (entries) entries.push(entry)
      else waiting.set(owner, [entry])
    },
    /** Removes and returns the next entry, or undefined if the queue is empty. */
    take: (): T | undefined => {
      const [next] = waiting
      if (!next) return undefined
      const [owner, entries] = next
      const entry = entries.shift()
      // Moves the owner to the end of the order.
      waiting.delete(owner)
      if (entries.length > 0) waiting.set(owner, entries)
      return entry
    },
  }
}
