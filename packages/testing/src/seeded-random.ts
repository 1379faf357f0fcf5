/** Random choices that are repeatable by seed. */
export type Random = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  /** Returns one of the items. `items` must not be empty. */
  pick<T>(items: readonly T[]): T
  /** Returns a copy in random order. */
  shuffle<T>(items: readonly T[]): T[]
}

/**
 * Creates a small, fast generator (four 32-bit words, additive with a counter) for tests; unsuitable for secrets. The
 * same seed returns the same choices on every machine.
 */
export const seededRandom = (seed: number): Random => {
  let a = seed | 0
  let b = Math.floor(seed / 0x1_0000_0000) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  const word = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  // Neighboring seeds start with similar numbers; a few rounds separate them.
  for (let round = 0; round < 15; round++) word()
  const next = () => word() / 0x1_0000_0000
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return items[below(items.length)] as (typeof items)[number]
    },
    shuffle: (items) => {
      const copy = [...items]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const held = copy[last] as (typeof copy)[number]
        copy[last] = copy[other] as (typeof copy)[number]
        copy[other] = held
      }
      return copy
    },
  }
}
