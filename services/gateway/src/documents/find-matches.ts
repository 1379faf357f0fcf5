import { parseExact } from '@cairn/contracts/exact-json'
import type { UserObject } from '@cairn/contracts/metadata'
import { type Filter, matchesFilter } from '@cairn/contracts/metadata-filter'
import type { Clock } from '@cairn/ports/clock/port'
import type { Body } from '@cairn/ports/metadata/records'

type Entry = { readonly id: string; readonly body: Pick<Body, 'metadata'> }

export type Matches<T> = {
  readonly found: readonly T[]
  /** The id to continue after, if not all was read. */
  readonly next: string | undefined
}

const readAtOnce = 200

type Wanted<E extends Entry, T> = {
  readonly filter: Filter
  /** Only entries of greater ids are read. */
  readonly after: string
  readonly count: number
  readonly withinMs: number
  /** What is kept of an entry that passes. */
  readonly keep: (entry: E) => T
}

/**
 * Reads entries by id until `count` pass the filter, all were read, or the time is over. So a rare match takes several
 * calls, and none is left out.
 */
export const findMatches = async <E extends Entry, T>(
  clock: Clock,
  read: (page: { readonly after: string; readonly limit: number }) => Promise<E[]>,
  { filter, after, count, withinMs, keep }: Wanted<E, T>,
): Promise<Matches<T>> => {
  const found: T[] = []
  const until = clock.monotonic() + withinMs
  for (let from = after; ; ) {
    const page = await read({ after: from, limit: readAtOnce })
    for (const entry of page) {
      if (!matchesFilter(filter, parseExact(entry.body.metadata) as UserObject)) continue
      found.push(keep(entry))
      if (found.length === count) return { found, next: entry.id }
    }
    const last = page.at(-1)
    if (!last || page.length < readAtOnce) return { found, next: undefined }
    from = last.id
    if (clock.monotonic() >= until) return { found, next: from }
  }
}
