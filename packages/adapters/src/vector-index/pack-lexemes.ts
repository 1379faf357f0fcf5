import type { Lexemes } from '@cairn/domain/ports/vector-index'

/** Ids, four bytes each, then counts, one byte each. */
export const packLexemes = ({ ids, counts }: Lexemes): Uint8Array => {
  const packed = new Uint8Array(5 * ids.length)
  packed.set(new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength))
  packed.set(counts, 4 * ids.length)
  return packed
}

export const unpackLexemes = (packed: Uint8Array): Lexemes => {
  const size = packed.length / 5
  // A copy: a view of 32-bit numbers would need an offset that is a multiple of four.
  const ids = new Uint32Array(size)
  new Uint8Array(ids.buffer).set(packed.subarray(0, 4 * size))
  return { ids, counts: packed.subarray(4 * size) }
}
