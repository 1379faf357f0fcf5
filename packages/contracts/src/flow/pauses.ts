/** Milliseconds of work over texts after which other tasks of the process run. */
const turnMs = 10

/** Ends with the pause that was begun last: many tasks that pause at once continue one by one, each in a round of its own. */
let last = Promise.resolve()

/**
 * Returns a function to await between two texts of a list: it lets other tasks run once the work since the last pause
 * has taken 10 ms.
 */
export const createPauses = (): (() => Promise<void>) => {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < turnMs) return
    last = last.then(() => new Promise((resolve) => void setImmediate(resolve)))
    await last
    from = performance.now()
  }
}
