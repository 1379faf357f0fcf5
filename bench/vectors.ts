import type { Measured, Row, Side } from './harness/row.ts'
import { createTask, measureHardData, measureSide, ours, type SearchFigures } from './vector-index/measure.ts'
import { lancedb, sqliteVec, usearch } from './vector-index/peers.ts'
import type { OpenSide } from './vector-index/side.ts'

const all: readonly (readonly [name: string, open: OpenSide])[] = [
  ['Cairn', ours],
  ['sqlite-vec', sqliteVec],
  ['usearch', usearch],
  ['LanceDB', lancedb],
]

const searchFigures = (prefix: string, { recall, p50Ms, p95Ms }: SearchFigures): Measured => ({
  [`${prefix}recall`]: recall,
  [`${prefix}p50`]: p50Ms,
  [`${prefix}p95`]: p95Ms,
})

const compare = (name: string, rows: number, opened: typeof all): Row => ({
  name,
  what: 'the embedded vector index beside its alternatives',
  method: `${rows.toLocaleString('en')} clustered vectors of 384 dimensions, top 10, 200 queries one after the other; filtered: a filter that a tenth passes. Each side from an empty place, in calls of 100 rows; ready: from the last row to the first answer. usearch lives in memory and has no filter; the others are on disk.`,
  pinned: false,
  warmUps: 0,
  figures: [
    { name: 'recall', unit: 'recall@10', digits: 4 },
    { name: 'p50', unit: 'ms', digits: 2 },
    { name: 'p95', unit: 'ms', digits: 2 },
    { name: 'filtered recall', unit: 'recall@10', digits: 4 },
    { name: 'filtered p50', unit: 'ms', digits: 2 },
    { name: 'filtered p95', unit: 'ms', digits: 2 },
    { name: 'ingest', unit: 'rows/s', digits: 0 },
    { name: 'ready', unit: 'ms', digits: 0 },
  ],
  marks: [
    { what: 'recall@10', figure: 'recall', sides: ['Cairn'], atLeast: 0.95 },
    { what: 'recall@10 with the filter', figure: 'filtered recall', sides: ['Cairn'], atLeast: 0.95 },
  ],
  open: async ({ quick }) => {
    const task = createTask(quick ? 10_000 : rows)
    const sideOf = ([name, open]: (typeof all)[number]): Side => ({
      name,
      round: async () => {
        const { rowsPerSecond, readyMs, search, filtered } = await measureSide(open, task)
        return {
          ...searchFigures('', search),
          ...(filtered ? searchFigures('filtered ', filtered) : {}),
          ingest: rowsPerSecond,
          ready: readyMs,
        }
      },
    })
    return { sides: opened.map(sideOf), close: async () => {} }
  },
})

export const comparison = compare('vectors', 100_000, all)

/** Beside LanceDB alone: the others would scan, or build their graph for an hour. */
export const largeComparison = compare('vectors-1m', 1_000_000, [all[0]!, all[3]!])

const hardNames = ['10 dimensions', 'all positive', 'heavily duplicated']

export const hardData: Row = {
  name: 'hard-vectors',
  what: 'recall of the embedded vector index on data that an index by signs could fail on',
  method:
    '100,000 vectors each: clustered ones of 10 dimensions; 384 dimensions, all positive; 384 dimensions, each vector a hundred times.',
  pinned: false,
  warmUps: 0,
  figures: hardNames.map((name) => ({ name, unit: 'recall@10', digits: 4 })),
  marks: hardNames.map((name) => ({
    what: `recall@10, ${name}`,
    figure: name,
    sides: ['Cairn'] as const,
    atLeast: 0.95,
  })),
  open: async ({ quick }) => ({
    sides: [
      {
        name: 'Cairn',
        round: async () =>
          Object.fromEntries(
            (await measureHardData(ours, quick ? 10_000 : 100_000)).map(({ name, recall }) => [name, recall]),
          ),
      },
    ],
    close: async () => {},
  }),
}
