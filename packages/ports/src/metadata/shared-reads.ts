type Read = (name: string, args: readonly unknown[]) => Promise<unknown>

/**
 * Combines equal reads of one turn of the event loop into one read of the store, at the end of the turn. The store is
 * read after all of them were requested, so none gets older data. Callers share the result and must not change it.
 */
export const sharedReads = (read: Read): Read => {
  const asked = new Map<string, Promise<unknown>>()
  return (name, args) => {
    const question = JSON.stringify([name, ...args])
    const known = asked.get(question)
    if (known) return known
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asked.delete(question)
      return read(name, args)
    })
    asked.set(question, answer)
    return answer
  }
}
