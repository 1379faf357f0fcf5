/** Milliseconds of work over texts after which other tasks of the process run. */
const turnMs = 10

/**
 * Returns a function to await between two texts of a list: it lets other tasks run once the work since the last pause
 * has taken 10 ms.
 */
export const createPauses = (): (() => Promise<void>) => {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < turnMs) return
    await new Promise((resolve) => setImmediate(resolve))
    from = performance.now()
  }
}
