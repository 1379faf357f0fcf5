import type { SearchMode } from '../sqlite/messages.ts'
import type { Partition, PointReads } from '../sqlite/reads.ts'
import { lastSlot, slotOf } from '../sqlite/schema.ts'
import { dot } from '../vector-math.ts'
import { type BitCodes, createBitCodes, setCode } from './bit-codes.ts'
import { rescore, shortlist } from './code-search.ts'
import { createHeldVectors, type Resident, setSlot, vectorsBytes } from './resident.ts'
import type { TimeSlices } from './time-slices.ts'
import { createTopScores } from './top-scores.ts'

/** Below it, sign bits are too imprecise and vectors are small. */
export const fewestCodeDimensions = 128

const sampleSize = 2_048
const judgedQueries = 20
const judgedLimit = 10
/** Minimum recall of each mode: the cheaper mode must lose almost nothing. */
const goodRecall = { signs: 0.98, estimates: 0.95 }
/** Few vectors per page, so that their memory is freed before much more is read. */
const vectorsPerPage = 256

/** Visits every vector of a partition by slot, with pauses. */
export const eachVector = async (
  reads: PointReads,
  partition: number,
  slices: TimeSlices,
  visit: (slot: number, vector: Float32Array) => void,
): Promise<void> => {
  for (let slot = 0; slot <= lastSlot; ) {
    const page = reads.vectorsFrom(partition, slot, vectorsPerPage)
    for (const { id, vector } of page) visit(slotOf(id), vector)
    const last = page.at(-1)
    if (!last || page.length < vectorsPerPage) return
    slot = slotOf(last.id) + 1
    if (slices.isOver()) await slices.next()
  }
}

const readSample = (reads: PointReads, { id, points, slots }: Partition): Float32Array[] => {
  const size = Math.min(sampleSize, points)
  return Array.from({ length: size }, (_, i) => reads.vectorsFrom(id, Math.floor((i * slots) / size), 1)).flatMap(
    (found) => found.map(({ vector }) => vector),
  )
}

const meanOf = (sample: readonly Float32Array[], dimension: number): Float32Array => {
  const mean = new Float32Array(dimension)
  for (const vector of sample) for (let i = 0; i < dimension; i++) mean[i] = mean[i]! + vector[i]! / sample.length
  return mean
}

type Judged = { readonly vector: Float32Array /** The lowest score of a correct result. */; readonly floor: number }

/** Returns the cheapest mode in which stored vectors find the same results as a comparison with every vector. */
const judge = async (
  reads: PointReads,
  codes: BitCodes,
  partition: Partition,
  queries: readonly Judged[],
  slices: TimeSlices,
): Promise<SearchMode> => {
  for (const mode of ['signs', 'estimates'] as const) {
    let found = 0
    for (const { vector, floor } of queries) {
      const scores = createTopScores(judgedLimit)
      const list = await shortlist(codes, mode, vector, {
        partition: partition.id,
        limit: judgedLimit,
        within: undefined,
        slices,
      })
      const options = { limit: judgedLimit, candidates: partition.points, scores, slices, readVectors: reads.vectors }
      await rescore([list], vector, options)
      // Compares scores, because any of several duplicates is correct. The tolerance exceeds the rounding error of a
      // cosine.
      found += Math.min(judgedLimit, scores.ranked().filter(({ score }) => score >= floor - 1e-6).length)
    }
    if (found >= goodRecall[mode] * judgedLimit * queries.length) return mode
  }
  return 'exact'
}

/** Builds the data in memory with which a partition is searched. `knownMode` is its mode, if determined before. */
export const buildResident = async (
  reads: PointReads,
  partition: Partition,
  options: {
    readonly dimension: number
    readonly knownMode: SearchMode | undefined
    readonly memoryBytes: number
    readonly slices: TimeSlices
    readonly onJudged: (mode: SearchMode) => void
  },
): Promise<Resident> => {
  const { dimension, knownMode, slices } = options
  const exact = async (): Promise<Resident> => {
    if (vectorsBytes(dimension, partition.slots) > options.memoryBytes) return { kind: 'file' }
    const resident: Resident = { kind: 'vectors', vectors: createHeldVectors(dimension, partition.slots) }
    await eachVector(reads, partition.id, slices, (slot, vector) => setSlot(resident, slot, vector))
    return resident
  }
  if (dimension < fewestCodeDimensions || knownMode === 'exact') return exact()
  const sample = readSample(reads, partition)
  const codes = createBitCodes(meanOf(sample, dimension), partition.slots)
  const step = Math.max(1, Math.floor(sample.length / judgedQueries))
  const queryVectors = knownMode ? [] : sample.filter((_, i) => i % step === 0).slice(0, judgedQueries)
  const watched = queryVectors.map((vector) => ({ vector, scores: createTopScores(judgedLimit) }))
  await eachVector(reads, partition.id, slices, (slot, vector) => {
    setCode(codes, slot, vector)
    for (const { vector: query, scores } of watched) scores.add(slot, dot(query, vector))
  })
  if (knownMode) return { kind: 'codes', codes, mode: knownMode }
  const queries = watched.map(({ vector, scores }) => ({ vector, floor: scores.scoreAt(judgedLimit) }))
  const mode = await judge(reads, codes, partition, queries, slices)
  options.onJudged(mode)
  return mode === 'exact' ? exact() : { kind: 'codes', codes, mode }
}
