/** Small jobs are not free. */
const minBytes = 16_384

/**
 * Creates a fair queue of accounts by bytes: over time each account with work gets the same number, whatever the size
 * of its jobs; an idle one accumulates no turns. Charging advances an account's virtual time; the earliest is next,
 * then the one charged longest ago. A new account begins half a small job behind the present: before those just served,
 * but a stream of new accounts can't starve the others.
 */
export const createTurnOrder = () => {
  const times = new Map<string, number>()
  let present = 0
  return {
    add: (account: string): void => {
      if (!times.has(account)) times.set(account, present + minBytes / 2)
    },
    remove: (account: string) => void times.delete(account),
    has: (account: string): boolean => times.has(account),
    /** Returns undefined when no account is allowed. */
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
