import { dot } from '@cairn/adapters/vector-index/vector-math'

export type Row = {
  readonly id: string
  readonly vector: Float32Array
  /** 0 to 9; each value occurs in a tenth of the rows. */
  readonly bucket: number
}
export type Filter = { readonly bucket: number }

/** Rows to store, and queries that are not among the rows. */
export type Data = {
  readonly dimension: number
  readonly rows: readonly Row[]
  readonly queries: readonly Float32Array[]
}

export const nearest = 10

/** Creates a mulberry32 random number generator, which gives the same numbers on every machine. */
const seeded = (seed: number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const normalOf = (random: () => number) => () =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const unit = (vector: Float32Array): Float32Array => {
  const factor = 1 / Math.sqrt(dot(vector, vector))
  return vector.map((value) => value * factor)
}

/**
 * Vectors are 400 centers on the unit sphere plus noise of half their length; isotropic vectors would not be a fair
 * test of any index.
 */
const clusters = 400
const noise = 0.5

type Shape = { readonly rows: number; readonly dimension: number; readonly queries?: number }

export const clusteredData = ({ rows, dimension, queries = 200 }: Shape): Data => {
  const random = seeded(1)
  const normal = normalOf(random)
  const centers = Array.from({ length: clusters }, () => unit(Float32Array.from({ length: dimension }, normal)))
  const spread = noise / Math.sqrt(dimension)
  const next = () => unit(centers[Math.floor(random() * clusters)]!.map((value) => value + spread * normal()))
  return {
    dimension,
    rows: Array.from({ length: rows }, (_, index) => ({ id: `item-${index}`, vector: next(), bucket: index % 10 })),
    queries: Array.from({ length: queries }, next),
  }
}

/** Returns queries in random directions, far from all vectors. */
export const farQueries = (dimension: number, count: number): Float32Array[] => {
  const normal = normalOf(seeded(4))
  return Array.from({ length: count }, () => unit(Float32Array.from({ length: dimension }, normal)))
}

/** Returns the cosines of the ten nearest rows for each query, best first, by comparing every row. */
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

/** Returns the share of correct results; of equally near rows, any is correct. */
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

const warmUp = 50

/** Runs every query once, one after the other, after some warm-up queries. Times are in milliseconds. */
export const timeSearches = async (
  data: Data,
  exact: readonly (readonly number[])[],
  search: (query: Float32Array) => string[] | Promise<string[]>,
  filter?: Filter,
): Promise<{ readonly times: readonly number[]; readonly recall: number }> => {
  for (const query of data.queries.slice(0, warmUp)) await search(query)
  const answers: string[][] = []
  const times: number[] = []
  for (const query of data.queries) {
    const from = performance.now()
    answers.push(await search(query))
    times.push(performance.now() - from)
  }
  return { times, recall: recallOf(data, answers, exact, filter) }
}
