/**
 * Qdrant orders by numbers only, one a point or several. A point has one number for every four bytes of its item id: 21 bits of a hash
 * of its namespace and of the bytes before, then the four bytes. So the numbers of all ids that begin alike lie side by side, in the
 * order of the four bytes that come next, and one indexed field lists any namespace in the order of its item ids. Where two hashes are
 * the same their ids lie among one another; whoever lists tells them apart by the ids themselves.
 *
 * 53 bits in all, which JSON's numbers carry exactly.
 */
export const stepBytes = 4
/** Numbers of one prefix. */
export const stepsOfPrefix = 2 ** 32

const hashBits = 21

/** The id's UTF-8 bytes and zeros up to the next multiple of four, at least one: no id has a zero, so a shorter id comes first. */
export const orderBytes = (itemId: string): Buffer => {
  const length = Buffer.byteLength(itemId)
  const bytes = Buffer.alloc((Math.floor(length / stepBytes) + 1) * stepBytes)
  bytes.write(itemId)
  return bytes
}

/** Whether these four bytes end an id. */
export const endsItem = (step: number): boolean => step % 256 === 0

/** FNV-1a, one byte on. */
const fold = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** Spreads what the last bytes changed over all bits. */
const spread = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

const baseOf = (hash: number): number => (spread(hash) >>> (32 - hashBits)) * stepsOfPrefix
const hashOf = (namespaceId: string): number => fold(Buffer.from(namespaceId).reduce(fold, 0x811c9dc5), 0)

/** The first number of the ids that begin with `prefix`, which is whole steps. */
export const prefixBase = (namespaceId: string, prefix: Buffer): number => baseOf(prefix.reduce(fold, hashOf(namespaceId)))

/** The numbers of an item's points, from the first four bytes of its id to the last. */
export const orderNumbers = (namespaceId: string, itemId: string): number[] => {
  const bytes = orderBytes(itemId)
  const numbers: number[] = []
  let hash = hashOf(namespaceId)
  for (let at = 0; at < bytes.length; at += stepBytes) {
    numbers.push(baseOf(hash) + bytes.readUInt32BE(at))
    for (let i = at; i < at + stepBytes; i++) hash = fold(hash, bytes.readUInt8(i))
  }
  // Once each, should two of an id's prefixes have one hash: Qdrant lists a point as often as it has a number.
  return [...new Set(numbers)]
}
