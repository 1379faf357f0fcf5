import { limits } from '@cairn/contracts/limits'
import type { EventPage } from '@cairn/domain/events/event-numbers'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableId } from '../gate.ts'

type Gap = { readonly seq: number; readonly since: number; readonly last: number }

/**
 * Closes numbers that stay missing in one stream. If one has expired, as in a stream of old events that are being
 * removed, the returned function resolves to the first number that is kept.
 */
export const closeGaps = ({ store, clock }: Pick<GatewayPorts, 'store' | 'clock'>, accountId: ReadableId) => {
  let gap: Gap | undefined
  return async ({ last, next }: EventPage): Promise<number | undefined> => {
    if (next !== 'missing') {
      gap = undefined
      return undefined
    }
    const seq = last + 1
    const now = clock.monotonic()
    if (gap?.seq === seq) {
      if (now - gap.since < limits.eventGapMs) return undefined
      await store.events.close(accountId, seq, gap.last)
      gap = undefined
      return undefined
    }
    const bounds = await store.events.bounds(accountId)
    if (!bounds) return undefined
    // Numbers up to `bounds.last` are at least as old as the missing one, so they are closed with it.
    gap = { seq, since: now, last: bounds.last }
    return bounds.first > seq ? bounds.first : undefined
  }
}
