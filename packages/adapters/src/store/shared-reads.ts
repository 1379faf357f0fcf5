type Read = (name: string, args: readonly unknown[]) => Promise<unknown>

/**
 * Equal reads of one turn of the event loop become one at its end. The store is read after all of them were requested,
 * so none gets older data. Callers share the result and must not change it.
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
