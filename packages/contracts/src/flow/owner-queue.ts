/** Owners take turns of one entry each, however many they have. The entries of an owner keep their order. */
export const createOwnerQueue = <T>() => {
  const waiting = new Map<string, T[]>()
  return {
    add: (owner: string, entry: T): void => {
      const entries = waiting.get(owner)
      if (entries) entries.push(entry)
      else waiting.set(owner, [entry])
    },
    /** Removes the next entry, if any. */
    take: (): T | undefined => {
      const [next] = waiting
      if (!next) return undefined
      const [owner, entries] = next
      const entry = entries.shift()
      // To the end of the order.
      waiting.delete(owner)
      if (entries.length > 0) waiting.set(owner, entries)
      return entry
    },
  }
}
