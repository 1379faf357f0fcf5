import type { Filter, Scalar } from '@cairn/contracts/documents/metadata-filter'
import type { Random } from './seeded-random.ts'

// Few keys and values, so that filters match metadata. Some are values that engines tend to confuse.
const keys = ['year', 'tags', 'day', 'a.b', '$ne', 'open', 'page'] as const
const texts = ['a', 'A', 'ab', 'b', '', '1', 'true', '2024', 'a b', 'ünï', '猫', 'x'.repeat(300)]
const numbers = [0, 1, -1, 1.5, 2024, 2025, 1e15, -0.25]
const dates = ['2024-02-29', '2024-03-01T00:00:00Z', '2024-03-01T01:00:00+02:00', '2025-01-01T12:30', '1969-12-31']

const scalar = (random: Random): Scalar =>
  random.pick<Scalar>([random.pick(texts), random.pick(numbers), random.pick(dates), random.chance(0.5)])
const some = (random: Random): Scalar[] => Array.from({ length: 1 + random.below(3) }, () => scalar(random))
const bound = (random: Random): number | string =>
  random.pick<number | string>([random.pick(numbers), random.pick(dates)])

/** Returns metadata as clients send it: scalars, arrays, nulls and objects. */
export const randomMetadata = (random: Random): Record<string, unknown> => {
  const anyValue = () =>
    random.pick<() => unknown>([() => scalar(random), () => some(random), () => null, () => ({ a: 1 }), () => []])()
  return Object.fromEntries(keys.filter(() => random.chance(0.6)).map((key) => [key, anyValue()]))
}

const condition = (random: Random): Filter => {
  const operator = random.pick<() => Filter>([
    () => ({ eq: scalar(random) }),
    () => ({ ne: scalar(random) }),
    () => ({ gt: bound(random) }),
    () => ({ gte: bound(random), lt: bound(random) }),
    () => ({ lte: bound(random) }),
    () => ({ in: some(random) }),
    () => ({ nin: some(random) }),
    () => ({ any: some(random) }),
    () => ({ all: some(random) }),
    () => ({ exists: random.chance(0.5) }),
    () => ({ prefix: random.pick(['a', '20', 'x']) }),
    () => ({ contains: random.pick<Scalar>(['b', '4-0', 1, true]) }),
  ])
  return { key: random.pick(keys), ...operator() }
}

export const randomFilter = (random: Random, depth = 3): Filter => {
  if (depth === 1 || random.chance(0.4)) return condition(random)
  const inner = () => Array.from({ length: 1 + random.below(3) }, () => randomFilter(random, depth - 1))
  return random.pick<() => Filter>([
    () => ({ and: inner() }),
    () => ({ or: inner() }),
    () => ({ not: randomFilter(random, depth - 1) }),
  ])()
}
