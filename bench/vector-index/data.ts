import type { Data, Filter, Row } from './side.ts'

export const nearest = 10

/** mulberry32: the same numbers on every machine. */
const seeded = (seed: number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const unit = (vector: Float32Array): Float32Array => {
  let squares = 0
  for (const value of vector) squares += value * value
  const factor = 1 / Math.sqrt(squares)
  return vector.map((value) => value * factor)
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

type Shape = { readonly rows: number; readonly dimension: number; readonly queries?: number }

/** 400 centres on the unit sphere and noise of half their length around each: isotropic vectors would be no fair test of any index. */
const clusters = 400
const noise = 0.5

const makeClustered = (dimension: number, seed: number) => {
  const random = seeded(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const centres = Array.from({ length: clusters }, () => unit(Float32Array.from({ length: dimension }, normal)))
  const spread = noise / Math.sqrt(dimension)
  return {
    random,
    next: () => unit(centres[Math.floor(random() * clusters)]!.map((value) => value + spread * normal())),
  }
}

const toData = (name: string, { rows, dimension, queries = 200 }: Shape, next: () => Float32Array): Data => ({
  name,
  dimension,
  rows: Array.from({ length: rows }, (_, i): Row => ({ id: `item-${i}`, vector: next(), bucket: i % 10 })),
  queries: Array.from({ length: queries }, next),
})

export const clusteredData = (shape: Shape): Data => toData('clustered', shape, makeClustered(shape.dimension, 1).next)

export const positiveData = (shape: Shape): Data => {
  const { next } = makeClustered(shape.dimension, 2)
  return toData('all positive', shape, () => next().map(Math.abs))
}

/** Each vector a hundred times. */
export const duplicatedData = (shape: Shape): Data => {
  const { random, next } = makeClustered(shape.dimension, 3)
  const different = Array.from({ length: Math.ceil(shape.rows / 100) }, next)
  return toData('heavily duplicated', shape, () => different[Math.floor(random() * different.length)]!)
}

/** Queries in any direction, far from all vectors. */
export const farQueries = (dimension: number, count: number): Float32Array[] => {
  const random = seeded(4)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: count }, () => unit(Float32Array.from({ length: dimension }, normal)))
}

/** Cosines of the nearest ten by comparison with every row, best first, for each query. */
export const exactScores = ({ rows, queries }: Data, filter?: Filter): number[][] => {
  const candidates = filter ? rows.filter(({ bucket }) => bucket === filter.bucket) : rows
  return queries.map((query) => {
    const best: number[] = []
    for (const { vector } of candidates) {
      const score = dot(query, vector)
      if (best.length === nearest && score <= best[nearest - 1]!) continue
      let index = best.length
      while (index > 0 && best[index - 1]! < score) index--
      best.splice(index, 0, score)
      if (best.length > nearest) best.pop()
    }
    return best
  })
}

/** The share of right answers; of equally near rows any is right. */
export const recallOf = (
  data: Data,
  answers: readonly (readonly string[])[],
  exact: readonly (readonly number[])[],
  filter?: Filter,
): number => {
  const byId = new Map(data.rows.map((row) => [row.id, row]))
  let right = 0
  for (const [i, ids] of answers.entries()) {
    const floor = exact[i]!.at(-1)! - 1e-6
    for (const id of new Set(ids)) {
      const row = byId.get(id)
      if (row && (!filter || row.bucket === filter.bucket) && dot(row.vector, data.queries[i]!) >= floor) right++
    }
  }
  return right / exact.reduce((sum, scores) => sum + scores.length, 0)
}
