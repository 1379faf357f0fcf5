export type InFlight = {
  /** Ends the count. Idempotent. */
  leave(): void
  /** The same once the bytes are in a record: no check of this account comes between the two and counts them twice, or not at all. */
  register<T>(record: () => Promise<T>): Promise<T>
}

export type BytesInFlight = {
  /**
   * Counts bytes of an account as on their way once `check` has found room for them beside those that are; it is given their number.
   * Checks of one account follow one another, so that no two take the same room.
   */
  enter(accountId: string, bytes: number, check: (inFlight: number) => Promise<void>): Promise<InFlight>
}

/** Bytes of uploads that this process is receiving, by account: they are in no record until they are stored. */
export const createBytesInFlight = (): BytesInFlight => {
  const inFlight = new Map<string, number>()
  const turns = new Map<string, Promise<unknown>>()
  const add = (accountId: string, bytes: number) => {
    const sum = (inFlight.get(accountId) ?? 0) + bytes
    if (sum === 0) inFlight.delete(accountId)
    else inFlight.set(accountId, sum)
  }
  /** One after the other for each account. */
  const inTurn = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
    const worked = (turns.get(accountId) ?? Promise.resolve()).then(work)
    const settled = worked.catch(() => undefined)
    turns.set(accountId, settled)
    try {
      return await worked
    } finally {
      if (turns.get(accountId) === settled) turns.delete(accountId)
    }
  }
  return {
    enter: async (accountId, bytes, check) => {
      await inTurn(accountId, async () => {
        await check(inFlight.get(accountId) ?? 0)
        add(accountId, bytes)
      })
      let isOver = false
      const leave = () => {
        if (!isOver) add(accountId, -bytes)
        isOver = true
      }
      const register = <T>(record: () => Promise<T>): Promise<T> => inTurn(accountId, () => record().finally(leave))
      return { leave, register }
    },
  }
}
