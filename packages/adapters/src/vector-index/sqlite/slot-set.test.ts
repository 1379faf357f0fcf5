import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { addSet, addSlots, createSlotSet, hasSlot, isEmptySet, slotsOfSet } from './slot-set.ts'

const setOf = (capacity: number, ...slots: number[]) => {
  const set = createSlotSet(capacity)
  addSlots(set, Uint32Array.from(slots), undefined)
  return set
}

it('holds each slot once, ascending, up to its capacity', () => {
  const set = setOf(65, 64, 0, 31, 32, 64, 63, 65, 1_000)
  expect([...slotsOfSet(set)]).toEqual([0, 31, 32, 63, 64])
  expect([0, 1, 31, 64, 65].map((slot) => hasSlot(set, slot))).toEqual([true, false, true, true, false])
  expect(isEmptySet(set)).toBe(false)
  expect(isEmptySet(setOf(65, 65))).toBe(true)
  expect([...slotsOfSet(createSlotSet(0))]).toEqual([])
})

it('adds only slots of the given set, and excludes removed ones', () => {
  const random = seededRandom(3)
  const capacity = 500
  const some = () => new Set(Array.from({ length: 200 }, () => Math.floor(random.next() * capacity)))
  for (let round = 0; round < 20; round++) {
    const [a, b, c] = [some(), some(), some()]
    const within = setOf(capacity, ...b)
    const both = createSlotSet(capacity)
    addSlots(both, Uint32Array.from(a), within)
    expect([...slotsOfSet(both)]).toEqual([...a.intersection(b)].sort((x, y) => x - y))
    addSet(both, setOf(capacity, ...c), within)
    const expected = a.intersection(b).union(c.difference(b))
    expect([...slotsOfSet(both)]).toEqual([...expected].sort((x, y) => x - y))
  }
})
