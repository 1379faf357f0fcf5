/** Milliseconds of work over texts after which other tasks of the process run. */
const turnMs = 10

/** Ends with the pause that was begun last: many tasks that pause at once continue one by one, each in a round of its own. */
let last = Promise.resolve()
/** When the work over texts in this round of the event loop began, whichever task did it. */
let roundFrom: number | undefined

const startOfRound = (): number => {
  if (roundFrom !== undefined) return roundFrom
  setImmediate(() => {
    roundFrom = undefined
  })
  roundFrom = performance.now()
  return roundFrom
}

/**
 * Returns a function to await between two texts of a list: it lets other tasks run once the work since the last pause
 * has taken 10 ms. Tasks that begin in one round of the event loop share this time.
 */
export const createPauses = (): (() => Promise<void>) => {
  let from = startOfRound()
  return async () => {
    if (performance.now() - from < turnMs) return
    last = last.then(() => new Promise((resolve) => void setImmediate(resolve)))
    await last
    from = startOfRound()
  }
}
