import { compareText } from '@cairn/domain/items/documents'
import type { PointAddress, PointFilter, PointListing } from '@cairn/domain/ports/vector-index'
import { isStorable } from '../check-input.ts'
import { compareAddresses } from '../compare-addresses.ts'
import type { Qdrant } from './client.ts'
import { endsItem, orderBytes, prefixBase, stepBytes, stepsOfPrefix } from './order.ts'
import { addressFields, scrollPages, toAddress, toFilter } from './points.ts'

/** Small enough to be cheap, large enough that a step seldom has more points. */
const minPageSize = 64
const maxPageSize = 1_000

type Place = Pick<Qdrant, 'request'> & {
  readonly collection: string
  readonly namespaceId: string
  readonly filter: PointFilter | undefined
  readonly pageSize: number
}
/** The four bytes of an item id after the prefix. */
type Step = { readonly step: number }
type Listed = Step & { readonly address: PointAddress }
type WholeSteps = { readonly found: PointAddress[]; readonly end: number }

const stepOf = (bytes: Buffer, index: number): number => bytes.readUInt32BE(index)
const withStep = (prefix: Buffer, step: number): Buffer => {
  const longer = Buffer.alloc(prefix.length + stepBytes)
  prefix.copy(longer)
  longer.writeUInt32BE(step, prefix.length)
  return longer
}
const idOf = (bytes: Buffer): string => bytes.toString('utf8', 0, bytes.indexOf(0))

/** Points with another prefix of the same hash are found as well. */
const isBeneath = ({ address, step }: Listed, prefix: Buffer): boolean => {
  const bytes = orderBytes(address.itemId)
  return (
    bytes.length > prefix.length &&
    bytes.subarray(0, prefix.length).equals(prefix) &&
    stepOf(bytes, prefix.length) === step
  )
}

/** Returns the first step that may have more points than were read, or the end. */
const endOf = (steps: readonly Step[], limit: number): number =>
  steps.length < limit ? stepsOfPrefix : (steps.at(-1)?.step ?? stepsOfPrefix)

/** The payload also contains the words, so reading addresses costs ten times as much as reading steps. */
const scroll = async (place: Place, prefix: Buffer, from: number, limit: number, fields: false | string[]) => {
  const base = prefixBase(place.namespaceId, prefix)
  const range = { gte: base + from, lt: base + stepsOfPrefix }
  const { points } = await place.request((client) =>
    client.scroll(place.collection, {
      filter: toFilter(place.namespaceId, place.filter, [{ key: 'order', range }]),
      order_by: { key: 'order', direction: 'asc', start_from: base + from },
      limit,
      with_payload: fields,
    }),
  )
  // Qdrant returns a point once for each of its order numbers from `start_from` on, ascending, so the numbers above
  // the range come last.
  return points
    .map((point) => ({ point, step: Number(point.order_value) - base }))
    .filter(({ step }) => step < stepsOfPrefix)
}

/** Returns complete steps, and where they end; or the step if a single one has more points than a page. */
const readSteps = async (
  place: Place,
  prefix: Buffer,
  from: number,
): Promise<WholeSteps | { readonly crowded: number }> => {
  const steps = await scroll(place, prefix, from, place.pageSize, false)
  const end = endOf(steps, place.pageSize)
  const whole = steps.filter(({ step }) => step < end).length
  if (whole === 0) return end < stepsOfPrefix ? { crowded: end } : { found: [], end }
  const limit = whole + 1
  const listed = await scroll(place, prefix, from, limit, addressFields)
  // Points may have been added or removed between the two requests.
  const listedEnd = endOf(listed, limit)
  const found = listed
    .map(({ point, step }) => ({ address: toAddress(point), step }))
    .filter((one) => one.step < listedEnd && isBeneath(one, prefix))
    .map(({ address }) => address)
    .sort(compareAddresses)
  return { found, end: listedEnd }
}

/** All points of an item fit into memory: a text has a few hundred passages at most. */
const ofItem = async (place: Place, itemId: string, after?: PointAddress): Promise<PointAddress[]> => {
  const found: PointAddress[] = []
  const filter = toFilter(place.namespaceId, place.filter, [{ key: 'item_id', match: { value: itemId } }])
  const page = { filter, limit: maxPageSize, with_payload: addressFields }
  for await (const points of scrollPages(place, place.collection, page)) found.push(...points.map(toAddress))
  return found.filter((address) => !after || compareAddresses(address, after) > 0).sort(compareAddresses)
}

/** Points whose id begins with `prefix` and continues with `from` or a later step. */
async function* beneath(place: Place, prefix: Buffer, from: number): AsyncGenerator<PointAddress[]> {
  for (let next = from; next < stepsOfPrefix; ) {
    const read = await readSteps(place, prefix, next)
    if ('crowded' in read) {
      // The step contains either one item with many points, or several ids that differ in later bytes.
      const longer = withStep(prefix, read.crowded)
      if (endsItem(read.crowded)) yield await ofItem(place, idOf(longer))
      else yield* beneath(place, longer, 0)
      next = read.crowded + 1
    } else {
      yield read.found
      next = read.end
    }
  }
}

async function* ofNamespace(place: Place, after: PointAddress | undefined): AsyncGenerator<PointAddress[]> {
  if (!after) return yield* beneath(place, Buffer.alloc(0), 0)
  yield await ofItem(place, after.itemId, after)
  // The next ids share the longest prefix with the last id, so continue from the end of that id to its beginning.
  const bytes = orderBytes(after.itemId)
  for (let index = bytes.length - stepBytes; index >= 0; index -= stepBytes) {
    yield* beneath(place, bytes.subarray(0, index), stepOf(bytes, index) + 1)
  }
}

/**
 * Walks the item ids of a namespace as a tree with branches of four bytes each (see `order.ts`). Points arrive in the
 * order of the next four bytes. In a full page, all steps but the last are complete, and are sorted here. Holds one
 * page, and the points of one item.
 */
export const listPoints = async (
  { request }: Pick<Qdrant, 'request'>,
  collection: string,
  { namespaceIds, filter, after, limit }: PointListing,
  signal?: AbortSignal,
): Promise<PointAddress[]> => {
  const listed: PointAddress[] = []
  const pageSize = Math.min(Math.max(limit, minPageSize), maxPageSize) + 1
  for (const namespaceId of [...new Set(namespaceIds.filter(isStorable))].sort(compareText)) {
    const order = after ? compareText(namespaceId, after.namespaceId) : 1
    if (order < 0) continue
    const place = { request, collection, namespaceId, filter, pageSize }
    for await (const batch of ofNamespace(place, order === 0 ? after : undefined)) {
      if (listed.length >= limit) break
      signal?.throwIfAborted()
      listed.push(...batch.slice(0, limit - listed.length))
    }
    if (listed.length >= limit) break
  }
  return listed
}
