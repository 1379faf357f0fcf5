import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { slices } from '@cairn/contracts/flow/slices'
import { latenciesOf } from './harness/latencies.ts'
import type { Measured, Row } from './harness/row.ts'
import { clusteredData, type Data, exactScores, type Filter, timeSearches } from './vector-index/data.ts'
import { type OpenVectorSide, openCairn, openLance } from './vector-index/sides.ts'

const rowsPerCall = 100
const tenth: Filter = { bucket: 3 }

type Task = {
  readonly data: Data
  readonly exact: readonly (readonly number[])[]
  readonly exactFiltered: readonly (readonly number[])[]
}

/** Measures one side, from an empty folder to the end of its searches. */
const measure = async (
  open: OpenVectorSide,
  { data, exact, exactFiltered }: Task,
  directory: string,
): Promise<Measured> => {
  const folder = mkdtempSync(join(directory, 'side-'))
  const side = await open(data, folder)
  try {
    const from = performance.now()
    for (const some of slices(data.rows, rowsPerCall)) await side.ingest(some)
    const ingested = performance.now()
    await side.prepare?.()
    // The first search loads what a side keeps in memory.
    await side.search(data.queries[0]!)
    const ready = performance.now() - ingested
    const all = await timeSearches(data, exact, (query) => side.search(query))
    const filtered = await timeSearches(data, exactFiltered, (query) => side.search(query, tenth), tenth)
    const { p50, p95 } = latenciesOf(filtered.times)
    return {
      recall: all.recall,
      ...latenciesOf(all.times),
      'filtered recall': filtered.recall,
      'filtered p50': p50,
      'filtered p95': p95,
      ingest: (data.rows.length / (ingested - from)) * 1_000,
      ready,
    }
  } finally {
    await side.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const compare = (name: string, rows: number): Row => ({
  name,
  what: 'the embedded vector index beside LanceDB',
  method: `${rows.toLocaleString('en')} clustered vectors of 384 dimensions, top 10, 200 queries one after the other; filtered: a filter that a tenth passes. Each side from an empty folder, in calls of ${rowsPerCall} rows; ready: from the last row to the first answer. Both are on disk.`,
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
    { what: 'Cairn ÷ LanceDB, p50', figure: 'p50', sides: ['Cairn', 'LanceDB'], atMost: 0.6 },
  ],
  open: async ({ quick, directory }) => {
    const data = clusteredData({ rows: quick ? 10_000 : rows, dimension: 384 })
    const task = { data, exact: exactScores(data), exactFiltered: exactScores(data, tenth) }
    return {
      sides: [
        { name: 'Cairn', round: () => measure(openCairn, task, directory) },
        { name: 'LanceDB', round: () => measure(openLance, task, directory) },
      ],
    }
  },
})

export const comparison = compare('vectors', 100_000)
export const largeComparison = compare('vectors-1m', 1_000_000)
