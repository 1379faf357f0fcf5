const first = 0x811c9dc5
const prime = 0x01000193

/** The low bits of an FNV hash are too similar for short strings. */
const mixHash = (state: number): number => {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * One table serves all texts, because a map per text took most of the time. Mixed hashes make their lowest bits a slot.
 */
const createTable = () => {
  let size = 0
  let hashes = new Uint32Array()
  let sums = new Float64Array()
  /** Slots in order of first use: adding in a different order would round differently. */
  let order = new Uint32Array()
  let used = 0

  const resize = (newSize: number) => {
    const [oldHashes, oldSums, oldOrder] = [hashes, sums, order.subarray(0, used)]
    size = newSize
    hashes = new Uint32Array(size)
    sums = new Float64Array(size)
    order = new Uint32Array(size / 2)
    used = 0
    for (const place of oldOrder) add(oldHashes[place] as number, oldSums[place] as number)
  }
  /** 0 marks an unused slot, so `amount` is above 0. */
  const add = (hash: number, amount: number): void => {
    if (used === order.length) resize(size * 2)
    const mask = size - 1
    let place = hash & mask
    while (sums[place] !== 0 && hashes[place] !== hash) place = (place + 1) & mask
    if (sums[place] === 0) {
      hashes[place] = hash
      order[used] = place
      used += 1
    }
    sums[place] = (sums[place] as number) + amount
  }

  resize(1 << 13)
  return {
    add,
    /** Empties the table. */
    take: (visit: (hash: number, sum: number) => void): void => {
      for (let index = 0; index < used; index += 1) {
        const place = order[index] as number
        visit(hashes[place] as number, sums[place] as number)
        sums[place] = 0
      }
      used = 0
    },
  }
}

const table = createTable()
let units = new Uint16Array(64)

/** Writes the word's UTF-16 units between a begin and an end marker. */
const mark = (word: string): number => {
  const length = word.length + 2
  if (length > units.length) units = new Uint16Array(length * 2)
  units[0] = 0x5e
  for (let index = 0; index < word.length; index += 1) units[index + 1] = word.charCodeAt(index)
  units[length - 1] = 0x24
  return length
}

/** Squared weights weaken features that many words share, above all beginnings and endings. */
const addWord = (word: string, weight: number): void => {
  const length = mark(word)
  let state = first
  for (let index = 1; index < length - 1; index += 1) state = Math.imul(state ^ (units[index] as number), prime)
  table.add(mixHash(state), weight * weight)
  if (word.length < 3) return
  const runs = length - 2 + (length - 3) + (length - 4)
  // The runs of a word together weigh twice as much as the word, to tolerate endings and typos.
  const each = (2 * weight) / Math.sqrt(runs)
  const square = each * each
  for (let start = 0; start + 3 <= length; start += 1) {
    state = first
    const end = Math.min(start + 5, length)
    for (let index = start; index < end; index += 1) {
      state = Math.imul(state ^ (units[index] as number), prime)
      if (index - start >= 2) table.add(mixHash(state), square)
    }
  }
}

/** Returns undefined if there are no words. */
export const hashedVector = (
  words: Iterable<readonly [word: string, weight: number]>,
  dimension: number,
): Float32Array<ArrayBuffer> | undefined => {
  for (const [word, weight] of words) addWord(word, weight)
  const sums = new Float64Array(dimension)
  table.take((hash, square) => {
    // The sign lets collisions cancel out on average instead of adding up.
    const place = (hash >>> 1) % dimension
    sums[place] = (sums[place] as number) + ((hash & 1) === 1 ? Math.sqrt(square) : -Math.sqrt(square))
  })
  let squares = 0
  for (const sum of sums) squares += sum * sum
  if (squares === 0) return undefined
  const length = Math.sqrt(squares)
  const vector = new Float32Array(dimension)
  for (let index = 0; index < dimension; index += 1) vector[index] = (sums[index] as number) / length
  return vector
}
