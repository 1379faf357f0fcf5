/** Creates the record of amounts that owners hold now, such as slots or bytes. */
export const createHoldings = () => {
  const byOwner = new Map<string, number>()
  let total = 0
  const add = (owner: string, amount: number) => {
    total += amount
    const held = (byOwner.get(owner) ?? 0) + amount
    // Owners come and go: an owner that holds nothing takes no memory.
    if (held === 0) byOwner.delete(owner)
    else byOwner.set(owner, held)
  }
  return {
    /** Returns what one owner holds. */
    of: (owner: string): number => byOwner.get(owner) ?? 0,
    /** Returns what all owners hold. */
    total: (): number => total,
    /**
     * Adds to what an owner holds. Returns the function that releases the amount; calling that function again does
     * nothing.
     */
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
