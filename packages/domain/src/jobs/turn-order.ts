/** Minimum charge per job, so that small jobs are not free. */
const minBytes = 16_384

/**
 * Creates a fair queue of accounts by bytes. Over time each account with work gets the same number of bytes, whatever
 * the size of its jobs; an idle account does not accumulate turns. Each account has a virtual time, advanced by the
 * bytes of its jobs. The account with the earliest time is next; among equal times, the account charged longest ago. A
 * new account begins half a small job behind the present: before the accounts that were just served, but a stream of
 * new accounts can't starve the others.
 */
export const createTurnOrder = () => {
  const times = new Map<string, number>()
  let present = 0
  return {
    /** Adds an account, unless it is already in the order. */
    add: (account: string): void => {
      if (!times.has(account)) times.set(account, present + minBytes / 2)
    },
    remove: (account: string) => void times.delete(account),
    has: (account: string): boolean => times.has(account),
    /** Returns the account whose turn it is among the allowed ones; undefined when none is allowed. */
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
