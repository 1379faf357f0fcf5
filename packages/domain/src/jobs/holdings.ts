/** Amounts that owners hold now, such as slots or bytes. */
export const createHoldings = () => {
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
    of: (owner: string): number => byOwner.get(owner) ?? 0,
    total: (): number => total,
    /** Returns the function that releases the amount; it may be called again. */
    hold: (owner: string, amount = 1): (() => void) => {
      add(owner, amount)
      let isBack = false
      return () => {
        if (!isBack) add(owner, -amount)
        isBack = true
      }
    },
  }
}
