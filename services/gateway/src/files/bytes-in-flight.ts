export type BytesInFlight = {
  /**
   * Counts bytes of an account as on their way once `check` has found room for them beside those that are; it is given their number.
   * Checks of one account follow one another, so that no two take the same room. Resolves to what ends it.
   */
  enter(accountId: string, bytes: number, check: (inFlight: number) => Promise<void>): Promise<() => void>
}

/** Bytes of uploads that this process is receiving, by account: they are in no record until they are stored. */
export const createBytesInFlight = (): BytesInFlight => {
  const inFlight = new Map<string, number>()
  const checks = new Map<string, Promise<unknown>>()
  const add = (accountId: string, bytes: number) => {
    const sum = (inFlight.get(accountId) ?? 0) + bytes
    if (sum === 0) inFlight.delete(accountId)
    else inFlight.set(accountId, sum)
  }
  return {
    enter: async (accountId, bytes, check) => {
      const checked = (checks.get(accountId) ?? Promise.resolve()).then(async () => {
        await check(inFlight.get(accountId) ?? 0)
        add(accountId, bytes)
      })
      const settled = checked.catch(() => undefined)
      checks.set(accountId, settled)
      try {
        await checked
      } finally {
        if (checks.get(accountId) === settled) checks.delete(accountId)
      }
      let isOver = false
      return () => {
        if (!isOver) add(accountId, -bytes)
        isOver = true
      }
    },
  }
}
