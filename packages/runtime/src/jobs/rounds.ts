/**
 * Spreads starts over rounds of the event loop, which must stay short: libuv accepts one new connection per round, and
 * every other request waits for its end.
 */
export const createRounds = (maxPerRound: number) => {
  const waiting: (() => void)[] = []
  let begun = 0
  const nextRound = () => {
    const due = waiting.splice(0, maxPerRound)
    begun = due.length
    if (begun > 0) setImmediate(nextRound)
    for (const begin of due) begin()
  }
  return {
    /** Returns true if the caller may begin now; else calls `begin` in a later round, in order. */
    take: (begin: () => void): boolean => {
      if (begun === maxPerRound) {
        waiting.push(begin)
        return false
      }
      if (begun === 0) setImmediate(nextRound)
      begun += 1
      return true
    },
  }
}
