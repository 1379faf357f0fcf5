/** Work over texts after which other tasks of the process run. */
const turnMs = 10

/** Ends with the latest pause: tasks that pause at once continue one by one, each in a round of its own. */
let last = Promise.resolve()

/** Returns what to await between texts: it lets other tasks run after 10 ms of work. */
export const createPauses = (): (() => Promise<void>) => {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < turnMs) return
    last = last.then(() => new Promise((resolve) => void setImmediate(resolve)))
    await last
    from = performance.now()
  }
}
