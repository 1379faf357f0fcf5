import type { PointAddress } from '@cairn/domain/ports/vector-index'
import type { ReadRequest } from './messages.ts'
import type { PointReads } from './reads.ts'
import { pointId } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'

type Request<Kind extends ReadRequest['kind']> = Extract<ReadRequest, { kind: Kind }>
type LookupRequest = Pick<Extract<ReadRequest, { addresses: unknown }>, 'space' | 'addresses'>

export const createVectorsOf =
  (reads: PointReads) =>
  async (
    { space, namespaceId, tokens }: Request<'vectorsOf'>,
    slices: TimeSlices,
  ): Promise<(Float32Array | undefined)[]> => {
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

export const createMissingPoints =
  (reads: PointReads) =>
  async ({ space, addresses }: LookupRequest, slices: TimeSlices): Promise<PointAddress[]> => {
    const namespaceIds = addresses.map(({ namespaceId }) => namespaceId)
    const partitions = new Map(reads.partitions(space, namespaceIds).map(({ id, namespaceId }) => [namespaceId, id]))
    const missing: PointAddress[] = []
    for (const address of addresses) {
      const partition = partitions.get(address.namespaceId)
      if (partition === undefined || reads.idAt(partition, address) === undefined) missing.push(address)
      if (slices.isOver()) await slices.next()
    }
    return missing
  }
