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

/** Creates the function that returns the id of the point at each address; undefined where there is no point. */
const createIdsAt =
  (reads: PointReads) =>
  async ({ space, addresses }: LookupRequest, slices: TimeSlices): Promise<(number | undefined)[]> => {
    const namespaceIds = addresses.map(({ namespaceId }) => namespaceId)
    const partitions = new Map(reads.partitions(space, namespaceIds).map(({ id, namespaceId }) => [namespaceId, id]))
    const ids: (number | undefined)[] = []
    for (const address of addresses) {
      const partition = partitions.get(address.namespaceId)
      ids.push(partition === undefined ? undefined : reads.idAt(partition, address))
      if (slices.isOver()) await slices.next()
    }
    return ids
  }

export const createMissingPoints = (reads: PointReads) => {
  const idsAt = createIdsAt(reads)
  return async (request: LookupRequest, slices: TimeSlices): Promise<PointAddress[]> => {
    const ids = await idsAt(request, slices)
    return request.addresses.filter((_, index) => ids[index] === undefined)
  }
}

export const createVectorsAt = (reads: PointReads) => {
  const idsAt = createIdsAt(reads)
  return async (request: LookupRequest, slices: TimeSlices): Promise<(Float32Array | undefined)[]> => {
    const ids = await idsAt(request, slices)
    const found = new Map(reads.vectors(ids.filter((id) => id !== undefined)).map(({ id, vector }) => [id, vector]))
    return ids.map((id) => (id === undefined ? undefined : found.get(id)))
  }
}
