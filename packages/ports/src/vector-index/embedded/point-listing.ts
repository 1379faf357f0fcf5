import { compareAddresses } from '../compare-addresses.ts'
import type { PointAddress } from '../port.ts'
import type { ReadRequest } from '../sqlite/messages.ts'
import type { PointReads } from '../sqlite/reads.ts'
import { pointId, slotOf } from '../sqlite/schema.ts'
import { compareUtf8 } from '../vector-math.ts'
import { createSlotSelection, isEverything, type PointTest } from './select-slots.ts'
import type { TimeSlices } from './time-slices.ts'

type ListRequest = Extract<ReadRequest, { kind: 'list' }>
type Place = { readonly partition: number; readonly namespaceId: string; readonly after: PointAddress | undefined }

/**
 * Up to this number, matches are read and sorted. More matches are dense in the order, so walking along it finds them
 * soon.
 */
const fewMatches = 2_000
const addressesPerRead = 1_000

export const createPointListing = (reads: PointReads) => {
  const selectSlots = createSlotSelection(reads)

  /** Returns all matches, read in the same transaction as the filter: later, a slot may belong to another point. */
  const fewMatching = ({ partition, namespaceId, after }: Place, test: PointTest): PointAddress[] | undefined =>
    reads.atOnce(() => {
      const slots = selectSlots(partition, test)
      if (!slots || slots.length > fewMatches) return undefined
      return reads
        .addressesOf(Array.from(slots, (slot) => pointId(partition, slot)))
        .map(({ itemId, version, passage }) => ({ namespaceId, itemId, version, passage }))
        .filter((address) => !after || compareAddresses(address, after) > 0)
        .sort(compareAddresses)
    })

  async function* walk({ partition, namespaceId, after }: Place, test: PointTest, want: number, slices: TimeSlices) {
    const pageSize = isEverything(test) ? Math.min(want, addressesPerRead) : addressesPerRead
    let last: Omit<PointAddress, 'namespaceId'> | undefined = after
    let slots: Uint32Array | undefined
    let matching = new Set<number>()
    for (;;) {
      const page = reads.atOnce(() => {
        const found = selectSlots(partition, test)
        if (found && found !== slots) matching = new Set(found)
        slots = found
        return reads.addresses(partition, last, pageSize)
      })
      for (const { id, itemId, version, passage } of page) {
        if (!slots || matching.has(slotOf(id))) yield { namespaceId, itemId, version, passage }
      }
      last = page.at(-1)
      if (page.length < pageSize) return
      if (slices.isOver()) await slices.next()
    }
  }

  return async (request: ListRequest, slices: TimeSlices): Promise<PointAddress[]> => {
    const { after, limit, test } = request
    const listed: PointAddress[] = []
    for (const { id, namespaceId } of reads.partitions(request.space, request.namespaceIds)) {
      if (listed.length >= limit) return listed
      const order = after ? compareUtf8(namespaceId, after.namespaceId) : 1
      if (order < 0) continue
      const place = { partition: id, namespaceId, after: order === 0 ? after : undefined }
      const few = fewMatching(place, test)
      for await (const address of few ?? walk(place, test, limit - listed.length, slices)) {
        if (listed.length >= limit) return listed
        listed.push(address)
      }
    }
    return listed
  }
}
