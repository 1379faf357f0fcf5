import { type CachedVectors, createHeldVectors, setSlot, vectorsBytes } from './cached-vectors.ts'
import { codesBytes, createCodes } from './codes.ts'
import type { Partition, PointReads } from './reads.ts'
import { lastSlot, slotOf } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'

/** Below, codes are too imprecise and vectors are small. */
export const minCodeDimensions = 128

const sampleSize = 2_048
/** Few, so that the memory of a page is freed before much more is read. */
const vectorsPerPage = 256

/** Visits by slot, with pauses. */
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

export const buildCached = async (
  reads: PointReads,
  partition: Partition,
  options: { readonly dimension: number; readonly memoryBytes: number; readonly slices: TimeSlices },
): Promise<CachedVectors> => {
  const { dimension, memoryBytes } = options
  const { slots } = partition
  const create = (): CachedVectors => {
    if (dimension >= minCodeDimensions) {
      const hasFourBit = codesBytes(dimension, slots, true) <= memoryBytes
      return { kind: 'codes', codes: createCodes(meanOf(readSample(reads, partition), dimension), slots, hasFourBit) }
    }
    if (vectorsBytes(dimension, slots) > memoryBytes) return { kind: 'file' }
    return { kind: 'vectors', vectors: createHeldVectors(dimension, slots) }
  }
  const cached = create()
  if (cached.kind !== 'file')
    await eachVector(reads, partition.id, options.slices, (slot, vector) => setSlot(cached, slot, vector))
  return cached
}
