export type TurnOrder = {
  /** Puts an account into the order, unless it is in it. */
  add(account: string): void
  remove(account: string): void
  has(account: string): boolean
  /** The account whose turn it is among those that are allowed; undefined when none is. */
  next(isAllowed: (account: string) => boolean): string | undefined
  /** The account's turn has been used for so many bytes. */
  charge(account: string, bytes: number): void
}

/** What any job is charged at least: small ones are not free. */
const leastBytes = 16_384

/**
 * Accounts in turn by bytes: over time each one that has work gets the same number of bytes, whatever the size of its jobs, and it can't save
 * up turns. Each account has a virtual time, which its jobs move on by their bytes, and the earliest comes next; among equals, whoever
 * was charged the longest ago. One that comes anew begins half a small job behind the present: before those that have just been served,
 * and yet so that no stream of new accounts keeps the others from their turns.
 */
export const createTurnOrder = (): TurnOrder => {
  const times = new Map<string, number>()
  let present = 0
  return {
    add: (account) => {
      if (!times.has(account)) times.set(account, present + leastBytes / 2)
    },
    remove: (account) => void times.delete(account),
    has: (account) => times.has(account),
    next: (isAllowed) => {
      let earliest: string | undefined
      let least = Number.POSITIVE_INFINITY
      for (const [account, time] of times) {
        if (time >= least || !isAllowed(account)) continue
        earliest = account
        least = time
      }
      return earliest
    },
    charge: (account, bytes) => {
      const time = times.get(account)
      if (time === undefined) return
      present = Math.max(present, time)
      times.delete(account)
      times.set(account, present + Math.max(leastBytes, bytes))
    },
  }
}
