/** One bit for each slot below the capacity. */
export type SlotSet = { readonly capacity: number; readonly bits: Uint32Array }

const bitsPerUnit = 32

export const createSlotSet = (capacity: number): SlotSet => ({
  capacity,
  bits: new Uint32Array(Math.ceil(capacity / bitsPerUnit)),
})

export const hasSlot = ({ bits, capacity }: SlotSet, slot: number): boolean =>
  slot < capacity && (bits[slot >>> 5]! & (1 << (slot & 31))) !== 0

/** Adds the slots in `within`, or all if it is undefined. Ignores slots beyond the capacity. */
export const addSlots = (set: SlotSet, slots: Uint32Array, within: SlotSet | undefined): void => {
  const { bits, capacity } = set
  for (const slot of slots)
    if (slot < capacity && (!within || hasSlot(within, slot))) bits[slot >>> 5]! |= 1 << (slot & 31)
}

/** Adds the slots of `added` that are not in `without`. All sets have the same capacity. */
export const addSet = ({ bits }: SlotSet, added: SlotSet, without?: SlotSet): void => {
  for (let index = 0; index < bits.length; index++) bits[index]! |= added.bits[index]! & ~(without?.bits[index] ?? 0)
}

export const isEmptySet = ({ bits }: SlotSet): boolean => bits.every((unit) => unit === 0)

export const slotsOfSet = ({ bits }: SlotSet): Uint32Array => {
  const slots: number[] = []
  for (let index = 0; index < bits.length; index++)
    for (let unit = bits[index]!; unit !== 0; unit &= unit - 1)
      slots.push(index * bitsPerUnit + 31 - Math.clz32(unit & -unit))
  return Uint32Array.from(slots)
}
