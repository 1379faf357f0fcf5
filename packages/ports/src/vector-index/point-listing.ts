import { compareAddresses } from './point-search.ts'
import type { PointAddress } from './port.ts'
import type { ReadRequest } from './sqlite-messages.ts'
import type { PointReads } from './sqlite-reads.ts'
import { pointId, slotOf } from './sqlite-schema.ts'
import type { TimeSlices } from './time-slices.ts'
import { compareUtf8 } from './vector-math.ts'

type ListRequest = Extract<ReadRequest, { kind: 'list' }>

/** So few matches are read and sorted; more lie so close together in the order that walking along it meets them soon. */
const fewMatches = 2_000
const addressesPerRead = 1_000

export const createPointListing = (reads: PointReads) => {
  async function* addressesOf(
    partition: number,
    tokens: readonly string[],
    after: PointAddress | undefined,
    want: number,
    slices: TimeSlices,
  ) {
    const matches = tokens.length > 0 ? reads.matching(partition, tokens) : undefined
    if (matches && matches.length <= fewMatches) {
      const ids = Array.from(matches, (slot) => pointId(partition, slot))
      const found = reads.addressesOf(ids).map((address) => ({ ...address, namespaceId: after?.namespaceId ?? '' }))
      yield* found.sort(compareAddresses).filter((address) => !after || compareAddresses(address, after) > 0)
      return
    }
    const isMatch = matches && new Set(matches)
    const pageSize = matches ? addressesPerRead : Math.min(want, addressesPerRead)
    let last: Omit<PointAddress, 'namespaceId'> | undefined = after
    for (;;) {
      const page = reads.addresses(partition, last, pageSize)
      for (const address of page) if (!isMatch || isMatch.has(slotOf(address.id))) yield address
      last = page.at(-1)
      if (page.length < pageSize) return
      if (slices.isOver()) await slices.next()
    }
  }

  return async (request: ListRequest, slices: TimeSlices): Promise<PointAddress[]> => {
    const { after, limit } = request
    const listed: PointAddress[] = []
    for (const { id, namespaceId } of reads.partitions(request.space, request.namespaceIds)) {
      const order = after ? compareUtf8(namespaceId, after.namespaceId) : 1
      if (order < 0) continue
      for await (const { itemId, version, passage } of addressesOf(id, request.tokens, order === 0 ? after : undefined, limit, slices)) {
        if (listed.length >= limit) return listed
        listed.push({ namespaceId, itemId, version, passage })
      }
    }
    return listed
  }
}
