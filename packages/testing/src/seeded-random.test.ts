import { expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const draw = (seed: number, count = 50) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.below(1_000_000))
}

it('replays the same choices for the same seed', () => {
  expect(draw(7)).toEqual(draw(7))
})

it('parts neighbouring seeds, also those that differ above 32 bits', () => {
  const first = new Set(draw(1))
  expect(draw(2).filter((value) => first.has(value)).length).toBeLessThan(3)
  expect(draw(2 ** 33 + 1).filter((value) => first.has(value)).length).toBeLessThan(3)
})

it('spreads evenly', () => {
  const random = seededRandom(3)
  const buckets = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 10_000; i++) {
    const bucket = random.below(10)
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  expect(Math.min(...buckets)).toBeGreaterThan(850)
  expect(Math.max(...buckets)).toBeLessThan(1_150)
})

it('shuffles a copy and keeps every item', () => {
  const items = Array.from({ length: 40 }, (_, index) => index)
  const shuffled = seededRandom(5).shuffle(items)
  expect(shuffled).not.toEqual(items)
  expect(shuffled.toSorted((left, right) => left - right)).toEqual(items)
})

it('refuses to pick from nothing', () => {
  expect(() => seededRandom(1).pick([])).toThrow(RangeError)
  expect(['a', 'b']).toContain(seededRandom(1).pick(['a', 'b']))
})
