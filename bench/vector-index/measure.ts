import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { clusteredData, duplicatedData, exactScores, nearest, positiveData, recallOf } from './data.ts'
import type { Data, Filter, OpenSide, Side } from './side.ts'

const batchSize = 100
const warmUp = 50
const tenth: Filter = { bucket: 3 }

/** Our own index, through its port: what it takes to cross its threads is in the figures. */
export const ours: OpenSide = async ({ dimension }) => {
  const directory = await mkdtemp(join(tmpdir(), 'cairn-bench-'))
  const index = sqliteVectorIndex({ file: join(directory, 'vectors.db') })
  const space = { key: `bench-${dimension}`, dimension }
  await index.ensure(space)
  return {
    name: 'Cairn',
    canFilter: true,
    ingest: (rows) =>
      index.upsert(
        space,
        rows.map(({ id, vector, bucket }) => ({
          namespaceId: 'bench',
          itemId: id,
          version: '1',
          passage: 0,
          vector,
          terms: [`bucket:${bucket}`],
          words: [],
        })),
      ),
    search: async (vector, filter) => {
      const passes = filter ? { filter: { terms: [`bucket:${filter.bucket}`], words: [] } } : {}
      const hits = await index.search(space, { namespaceIds: ['bench'], vector, limit: nearest, ...passes })
      return hits.map(({ itemId }) => itemId)
    },
    close: async () => {
      await index.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Rows per second, in calls of a hundred one after the other. */
export const measureIngest = async (side: Side, { rows }: Data): Promise<number> => {
  const started = performance.now()
  for (let from = 0; from < rows.length; from += batchSize) await side.ingest(rows.slice(from, from + batchSize))
  return (rows.length / (performance.now() - started)) * 1_000
}

/** Milliseconds until the first answer after the last row: indexes are built, or what is kept in memory is read. */
export const measureReady = async (side: Side, { queries }: Data): Promise<number> => {
  const started = performance.now()
  await side.prepare?.()
  await side.search(queries[0]!)
  return performance.now() - started
}

export type SearchFigures = { readonly recall: number; readonly p50Ms: number; readonly p95Ms: number }

/** Every query once, one after the other, after some to warm up. `exact` are the right scores, from `exactScores`. */
export const measureSearch = async (
  side: Side,
  data: Data,
  exact: readonly (readonly number[])[],
  filter?: Filter,
): Promise<SearchFigures> => {
  for (const query of data.queries.slice(0, warmUp)) await side.search(query, filter)
  const answers: string[][] = []
  const times: number[] = []
  for (const query of data.queries) {
    const started = performance.now()
    answers.push(await side.search(query, filter))
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { recall: recallOf(data, answers, exact, filter), p50Ms: at(0.5), p95Ms: at(0.95) }
}

export type Figures = {
  readonly name: string
  readonly rowsPerSecond: number
  readonly readyMs: number
  readonly search: SearchFigures
  readonly filtered: SearchFigures | undefined
}

export type Task = {
  readonly data: Data
  readonly exact: readonly (readonly number[])[]
  readonly exactFiltered: readonly (readonly number[])[]
}

/** The row of stack and issue: 100,000 vectors of 384 dimensions, top 10, and the same with a filter that a tenth passes. */
export const createTask = (rows = 100_000, dimension = 384): Task => {
  const data = clusteredData({ rows, dimension })
  return { data, exact: exactScores(data), exactFiltered: exactScores(data, tenth) }
}

/** One side from an empty place to the end of its searches. */
export const measureSide = async (open: OpenSide, { data, exact, exactFiltered }: Task): Promise<Figures> => {
  const side = await open(data)
  try {
    const rowsPerSecond = await measureIngest(side, data)
    const readyMs = await measureReady(side, data)
    const search = await measureSearch(side, data, exact)
    const filtered = side.canFilter ? await measureSearch(side, data, exactFiltered, tenth) : undefined
    return { name: side.name, rowsPerSecond, readyMs, search, filtered }
  } finally {
    await side.close()
  }
}

/** Recall on data that an index by signs could fail on. */
export const measureHardData = async (
  open: OpenSide,
  rows = 100_000,
): Promise<(SearchFigures & { readonly name: string })[]> => {
  const figures: (SearchFigures & { readonly name: string })[] = []
  for (const data of [
    { ...clusteredData({ rows, dimension: 10 }), name: '10 dimensions' },
    positiveData({ rows, dimension: 384 }),
    duplicatedData({ rows, dimension: 384 }),
  ]) {
    const side = await open(data)
    try {
      await measureIngest(side, data)
      figures.push({ name: data.name, ...(await measureSearch(side, data, exactScores(data))) })
    } finally {
      await side.close()
    }
  }
  return figures
}
