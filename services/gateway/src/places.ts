/** Creates `most` places for each key. `take` is false when all of them are taken; a place is free again `onEnd`. */
export const createPlaces = (most: number) => {
  const taken = new Map<string, number>()
  return {
    take: (key: string, onEnd: (release: () => void) => void): boolean => {
      const before = taken.get(key) ?? 0
      if (before >= most) return false
      taken.set(key, before + 1)
      onEnd(() => {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      })
      return true
    },
  }
}
