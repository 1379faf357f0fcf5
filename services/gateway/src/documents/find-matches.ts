import { parseMetadata } from '@cairn/contracts/documents/metadata'
import { createFilterTest, type Filter } from '@cairn/contracts/documents/metadata-filter'
import type { Body } from '@cairn/domain/items/record'
import type { Clock } from '@cairn/domain/ports/clock'
import { createFairSlots } from '@cairn/runtime/throttles/fair-slots'
import { type Turns, turns as turnsOfProcess } from '@cairn/runtime/throttles/turns'
import type { Call } from '../call.ts'

type Entry = { readonly id: string; readonly body: Pick<Body, 'metadata'> }

/** Entries per read: with texts of maximum length a read has 10 MB. */
const readAtOnce = 50
/** Time on the event loop after which other accounts and small requests get their turn. */
const turnMs = 5

/**
 * Limits pages that are read or compared at once in this process: a page may have 10 MB, and the database does not know
 * for which account it reads.
 */
const reads = createFairSlots({ size: 4, perOwner: 1, what: 'listings by filter' })

type Search<E extends Entry> = {
  readonly filter: Filter
  /** Exclusive start: only entries with greater ids are read. */
  readonly after: string
  readonly withinMs: number
  /** Called for each entry that passes, by id. Returns whether to continue. */
  readonly visit: (entry: E) => boolean
}
type Requester = { readonly account: Pick<Call['account'], 'id'>; readonly signal: AbortSignal }

/**
 * Reads entries by id and visits those that pass the filter, until `visit` returns false, all are read, or time is up.
 * A rare match may therefore take several calls, but no match is left out. Returns the id to continue after; undefined
 * when all are read. Accounts take turns, with one read at a time each. Rejects with the error of `signal` once the
 * client has disconnected.
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
