import { type Codes, clearCodes, codesBytes, setCodes } from './codes.ts'

/** `file`: no data in memory, because the vectors do not fit and are too short for codes. */
export type CachedVectors =
  | { readonly kind: 'codes'; readonly codes: Codes }
  | { readonly kind: 'vectors'; readonly vectors: HeldVectors }
  | { readonly kind: 'file' }

/** By slot, concatenated. */
export type HeldVectors = { readonly dimension: number; slots: number; values: Float32Array; occupied: Uint8Array }

export const vectorsBytes = (dimension: number, slots: number): number => slots * (dimension * 4 + 1)

export const cachedBytes = (cached: CachedVectors): number => {
  if (cached.kind === 'codes') {
    const { dimension, offset, fourBit } = cached.codes
    return codesBytes(dimension, offset.length, fourBit !== undefined)
  }
  return cached.kind === 'vectors' ? vectorsBytes(cached.vectors.dimension, cached.vectors.occupied.length) : 0
}

export const createHeldVectors = (dimension: number, slots: number): HeldVectors => ({
  dimension,
  slots,
  values: new Float32Array(slots * dimension),
  occupied: new Uint8Array(slots),
})

const setVector = (held: HeldVectors, slot: number, vector: Float32Array): void => {
  if (slot >= held.occupied.length) {
    const grown = createHeldVectors(held.dimension, Math.max(slot + 1, Math.ceil(held.occupied.length * 1.5)))
    grown.values.set(held.values)
    grown.occupied.set(held.occupied)
    held.values = grown.values
    held.occupied = grown.occupied
  }
  held.slots = Math.max(held.slots, slot + 1)
  held.values.set(vector, slot * held.dimension)
  held.occupied[slot] = 1
}

/** `vector` has unit length; undefined empties the slot. */
export const setSlot = (cached: CachedVectors, slot: number, vector: Float32Array | undefined): void => {
  if (cached.kind === 'codes') {
    if (vector) setCodes(cached.codes, slot, vector)
    else clearCodes(cached.codes, slot)
  } else if (cached.kind === 'vectors') {
    if (vector) setVector(cached.vectors, slot, vector)
    else if (slot < cached.vectors.slots) cached.vectors.occupied[slot] = 0
  }
}
