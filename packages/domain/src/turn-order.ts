/** Minimum charge per job: small jobs are not free. */
const minBytes = 16_384

/**
 * Turns of accounts by bytes. Over time each account with work gets the same number of bytes, whatever the size of its
 * jobs, and it can't save up turns. Each account has a virtual time that its jobs advance by their bytes. The earliest
 * time is next; among equal times, the account charged longest ago. A new account begins half a small job behind the
 * present: before those that were just served, but a stream of new accounts can't keep the others from their turns.
 */
export const createTurnOrder = () => {
  const times = new Map<string, number>()
  let present = 0
  return {
    /** Adds an account, unless it is in the order. */
    add: (account: string): void => {
      if (!times.has(account)) times.set(account, present + minBytes / 2)
    },
    remove: (account: string) => void times.delete(account),
    has: (account: string): boolean => times.has(account),
    /** Returns the account whose turn it is among those allowed; undefined when none is. */
    next: (isAllowed: (account: string) => boolean): string | undefined => {
      let earliest: string | undefined
      let minTime = Number.POSITIVE_INFINITY
      for (const [account, time] of times) {
        if (time >= minTime || !isAllowed(account)) continue
        earliest = account
        minTime = time
      }
      return earliest
    },
    /** Charges bytes to the account's turn. */
    charge: (account: string, bytes: number): void => {
      const time = times.get(account)
      if (time === undefined) return
      present = Math.max(present, time)
      times.delete(account)
      times.set(account, present + Math.max(minBytes, bytes))
    },
  }
}

export type TurnOrder = ReturnType<typeof createTurnOrder>
