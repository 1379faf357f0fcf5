import type { ReadRequest } from './messages.ts'
import type { PointReads } from './reads.ts'
import { pointId } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'

type VectorsRequest = Extract<ReadRequest, { kind: 'vectorsOf' }>

export const createVectorsOf =
  (reads: PointReads) =>
  async ({ space, namespaceId, tokens }: VectorsRequest, slices: TimeSlices): Promise<(Float32Array | undefined)[]> => {
    const [partition] = reads.partitions(space, [namespaceId])
    const found: (Float32Array | undefined)[] = []
    for (const token of tokens) {
      const slot = partition && reads.firstMatching(partition.id, token)
      const [stored] = partition && slot !== undefined ? reads.vectors([pointId(partition.id, slot)]) : []
      found.push(stored?.vector)
      if (slices.isOver()) await slices.next()
    }
    return found
  }
