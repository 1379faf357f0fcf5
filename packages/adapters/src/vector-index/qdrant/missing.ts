import { slices } from '@cairn/contracts/flow/slices'
import type { PointAddress } from '@cairn/domain/ports/vector-index'
import type { Qdrant } from './client.ts'
import { pointIdOf } from './points.ts'

/** At 36 bytes each in request and response. */
const idsAtOnce = 1_000

/** Looks points up by ids derived from their addresses. */
export const missingPoints = async (
  { request }: Qdrant,
  collection: string,
  addresses: readonly PointAddress[],
): Promise<PointAddress[]> => {
  const missing: PointAddress[] = []
  for (const slice of slices(addresses, idsAtOnce)) {
    const ids = slice.map(pointIdOf)
    const found = await request((client) =>
      client.retrieve(collection, { ids, with_payload: false, with_vector: false }),
    )
    const foundIds = new Set(found.map(({ id }) => id))
    missing.push(...slice.filter((_, index) => !foundIds.has(ids[index] ?? '')))
  }
  return missing
}
