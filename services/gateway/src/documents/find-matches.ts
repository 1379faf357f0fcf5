import { parseMetadata } from '@cairn/contracts/documents/metadata'
import { createFilterTest, type Filter } from '@cairn/contracts/documents/metadata-filter'
import type { Body } from '@cairn/domain/items/record'
import type { Clock } from '@cairn/domain/ports/clock'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import { type Turns, turns as turnsOfProcess } from '@cairn/runtime/throttles/turns'
import type { Call } from '../call.ts'
import { slots } from '../slots.ts'

type Entry = { readonly id: string; readonly body: Pick<Body, 'metadata'> }

/** With texts of maximum length, a read has 10 MB. */
const readAtOnce = 50
/** Time on the event loop after which others get their turn. */
const turnMs = 5

const reads = new FairSlots(slots.filterReads)

type Search<E extends Entry> = {
  readonly filter: Filter
  /** Exclusive. */
  readonly after: string
  readonly withinMs: number
  /** Called by id for each entry that passes. Returns whether to continue. */
  readonly visit: (entry: E) => boolean
}
type Requester = { readonly account: Pick<Call['account'], 'id'>; readonly signal: AbortSignal }

/**
 * Stops when `visit` returns false, all is read, or time is up; so a rare match may take several calls. Returns the id
 * to continue after; undefined when all is read. Each account has one read at a time. Rejects with the error of
 * `signal`.
 */
export const findMatches = async <E extends Entry>(
  clock: Clock,
  { account, signal }: Requester,
  read: (page: { readonly after: string; readonly limit: number }) => Promise<E[]>,
  { filter, after, withinMs, visit }: Search<E>,
  turns: Turns = turnsOfProcess,
): Promise<string | undefined> => {
  const passes = createFilterTest(filter)
  const until = clock.monotonic() + withinMs
  for (let from = after; ; ) {
    const release = await reads.take(account.id, signal)
    try {
      const page = await read({ after: from, limit: readAtOnce })
      await turns.take(account.id, signal)
      let turnEnds = clock.monotonic() + turnMs
      for (const entry of page) {
        if (passes(parseMetadata(entry.body.metadata)) && !visit(entry)) return entry.id
        from = entry.id
        const now = clock.monotonic()
        if (now >= until) return from
        if (now < turnEnds) continue
        await turns.take(account.id, signal)
        turnEnds = clock.monotonic() + turnMs
      }
      if (page.length < readAtOnce) return undefined
    } finally {
      release()
    }
  }
}
