type Read = (name: string, args: readonly unknown[]) => Promise<unknown>

/**
 * Equal reads that are asked for in one turn of the event loop go to the store as one, at the turn's end. None of them sees less
 * than it would alone: the store is asked after all of them were. Whoever gets a result shares it and must not change it.
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
