import { createHoldings } from '@cairn/domain/jobs/holdings'

export type InFlight = {
  /** May be called again. */
  leave(): void
  /** Ends the count once `record` has written the bytes; a check meanwhile would count them twice or not at all. */
  register<T>(record: () => Promise<T>): Promise<T>
}

export type BytesInFlight = {
  /** Checks of one account run in turn, so that no two use the same capacity. `inFlight`: bytes before this one. */
  enter(accountId: string, bytes: number, check: (inFlight: number) => Promise<void>): Promise<InFlight>
}

/** Counts bytes that this process is receiving: no record includes them until they are stored. */
export const createBytesInFlight = (): BytesInFlight => {
  const inFlight = createHoldings()
  const turns = new Map<string, Promise<unknown>>()
  /** Runs one piece of work per account at a time. */
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
      const leave = await inTurn(accountId, async () => {
        await check(inFlight.of(accountId))
        return inFlight.hold(accountId, bytes)
      })
      const register = <T>(record: () => Promise<T>): Promise<T> => inTurn(accountId, () => record().finally(leave))
      return { leave, register }
    },
  }
}
