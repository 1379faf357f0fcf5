/**
 * Qdrant sorts only by numbers, and a point may have several. A point has one number for every four bytes of its item
 * id: 21 bits of a hash of the namespace and the preceding bytes, then the four bytes: 53 bits, which JSON numbers
 * represent exactly. So the numbers of all ids with one prefix are adjacent, in the order of the next four bytes, and
 * one indexed field lists any namespace in the order of its item ids. If two hashes collide, their ids are mixed, and
 * the listing distinguishes them by the ids themselves.
 */
export const stepBytes = 4
export const stepsOfPrefix = 2 ** 32

const hashBits = 21

/** Pads with at least one zero to a multiple of four bytes. No id contains a zero byte, so a shorter id sorts first. */
export const orderBytes = (itemId: string): Buffer => {
  const length = Buffer.byteLength(itemId)
  const bytes = Buffer.alloc((Math.floor(length / stepBytes) + 1) * stepBytes)
  bytes.write(itemId)
  return bytes
}

/** Whether these four bytes end an id. */
export const endsItem = (step: number): boolean => step % 256 === 0

/** FNV-1a. */
const fold = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** Mixes the last bytes into all bits (the finalizer of MurmurHash3). */
const spread = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

const baseOf = (hash: number): number => (spread(hash) >>> (32 - hashBits)) * stepsOfPrefix
const hashOf = (namespaceId: string): number => fold(Buffer.from(namespaceId).reduce(fold, 0x811c9dc5), 0)

/** First number of ids that begin with `prefix`, whose length is a multiple of four. */
export const prefixBase = (namespaceId: string, prefix: Buffer): number =>
  baseOf(prefix.reduce(fold, hashOf(namespaceId)))

export const orderNumbers = (namespaceId: string, itemId: string): number[] => {
  const bytes = orderBytes(itemId)
  const numbers: number[] = []
  let hash = hashOf(namespaceId)
  for (let index = 0; index < bytes.length; index += stepBytes) {
    numbers.push(baseOf(hash) + bytes.readUInt32BE(index))
    for (let i = index; i < index + stepBytes; i++) hash = fold(hash, bytes.readUInt8(i))
  }
  // Two prefixes of the id may have the same hash, and Qdrant lists a point once for each of its numbers.
  return [...new Set(numbers)]
}
