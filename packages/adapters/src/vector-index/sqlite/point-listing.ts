import { compareText } from '@cairn/domain/items/documents'
import type { PointAddress } from '@cairn/domain/ports/vector-index'
import { compareAddresses } from '../compare-addresses.ts'
import type { ReadRequest } from './messages.ts'
import type { PointReads } from './reads.ts'
import { pointId, slotOf } from './schema.ts'
import { SlotSelection } from './select-slots.ts'
import type { TimeSlices } from './time-slices.ts'

type ListRequest = Extract<ReadRequest, { kind: 'list' }>
type Place = {
  readonly partition: number
  readonly namespaceId: string
  readonly after: PointAddress | undefined
  /** Undefined: all slots pass. */
  readonly matching: Uint32Array | undefined
}

/** Up to this number, matches are read and sorted. More are dense, so reading points in order finds them soon. */
const fewMatches = 2_000
const addressesPerRead = 1_000

export const createPointListing = (reads: PointReads) => {
  const readFew = ({ partition, namespaceId, after }: Place, slots: Uint32Array): PointAddress[] =>
    reads
      .addressesOf(Array.from(slots, (slot) => pointId(partition, slot)))
      .map(({ itemId, version, passage }) => ({ namespaceId, itemId, version, passage }))
      .filter((address) => !after || compareAddresses(address, after) > 0)
      .sort(compareAddresses)

  async function* walk({ partition, namespaceId, after, matching }: Place, want: number, slices: TimeSlices) {
    const pageSize = matching ? addressesPerRead : Math.min(want, addressesPerRead)
    const passing = matching && new Set(matching)
    let last: Omit<PointAddress, 'namespaceId'> | undefined = after
    for (;;) {
      const page = reads.addresses(partition, last, pageSize)
      for (const { id, itemId, version, passage } of page) {
        if (!passing || passing.has(slotOf(id))) yield { namespaceId, itemId, version, passage }
      }
      last = page.at(-1)
      if (page.length < pageSize) return
      if (slices.isOver()) await slices.next()
    }
  }

  return async (request: ListRequest, slices: TimeSlices): Promise<PointAddress[]> => {
    const { after, limit, test } = request
    const selection = new SlotSelection(reads, test, slices)
    const listed: PointAddress[] = []
    for (const partition of reads.partitions(request.space, request.namespaceIds)) {
      const { id, namespaceId } = partition
      if (listed.length >= limit) return listed
      const order = after ? compareText(namespaceId, after.namespaceId) : 1
      if (order < 0) continue
      const matching = await selection.of(partition)
      const place = { partition: id, namespaceId, after: order === 0 ? after : undefined, matching }
      const isFew = matching && matching.length <= fewMatches
      for await (const address of isFew ? readFew(place, matching) : walk(place, limit - listed.length, slices)) {
        if (listed.length >= limit) return listed
        listed.push(address)
      }
    }
    return listed
  }
}
