/** Amounts that owners hold now, such as slots or bytes. */
export type Holdings = {
  /** Held by one owner. */
  of(owner: string): number
  /** Held by all owners. */
  total(): number
  /** Adds to what an owner holds. Returns the function that gives it back; calling that again does nothing. */
  hold(owner: string, amount?: number): () => void
}

export const createHoldings = (): Holdings => {
  const byOwner = new Map<string, number>()
  let total = 0
  const add = (owner: string, amount: number) => {
    total += amount
    const held = (byOwner.get(owner) ?? 0) + amount
    // Owners come and go: one that holds nothing takes no memory.
    if (held === 0) byOwner.delete(owner)
    else byOwner.set(owner, held)
  }
  return {
    of: (owner) => byOwner.get(owner) ?? 0,
    total: () => total,
    hold: (owner, amount = 1) => {
      add(owner, amount)
      let isBack = false
      return () => {
        if (!isBack) add(owner, -amount)
        isBack = true
      }
    },
  }
}
