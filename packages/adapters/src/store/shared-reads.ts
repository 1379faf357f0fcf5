type Read = (name: string, args: readonly unknown[]) => Promise<unknown>

/**
 * Combines equal reads of one turn of the event loop into one read of the store, at the end of the turn. The store is
 * read after all of the reads were requested, so no read gets older data. Callers share the result and must not change
 * it.
 */
export const sharedReads = (read: Read): Read => {
  const reads = new Map<string, Promise<unknown>>()
  return (name, args) => {
    const key = JSON.stringify([name, ...args])
    const earlier = reads.get(key)
    if (earlier) return earlier
    const result = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      reads.delete(key)
      return read(name, args)
    })
    reads.set(key, result)
    return result
  }
}
