import type { PointAddress } from '@cairn/domain/ports/vector-index'
import type { ReadRequest } from './messages.ts'
import type { PointReads } from './reads.ts'
import type { TimeSlices } from './time-slices.ts'

type MissingRequest = Extract<ReadRequest, { kind: 'missing' }>

export const createMissingPoints =
  (reads: PointReads) =>
  async ({ space, addresses }: MissingRequest, slices: TimeSlices): Promise<PointAddress[]> => {
    const namespaceIds = addresses.map(({ namespaceId }) => namespaceId)
    const partitions = new Map(reads.partitions(space, namespaceIds).map(({ id, namespaceId }) => [namespaceId, id]))
    const missing: PointAddress[] = []
    for (const address of addresses) {
      const partition = partitions.get(address.namespaceId)
      if (partition === undefined || !reads.has(partition, address)) missing.push(address)
      if (slices.isOver()) await slices.next()
    }
    return missing
  }
