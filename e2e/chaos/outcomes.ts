import type { LedgerEntry } from '@cairn/testing/ledger'
import type { Recorded } from '@cairn/testing/recorded-client'

const searchedShare = 20

/**
 * Whether a document is in the sample that is searched for by its own content at the end of a run, through the API and
 * in the index.
 */
export const isSearched = (id: string): boolean =>
  [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7) % searchedShare === 0

/** Throws unless the request succeeded. */
export const mustSucceed = (recorded: Recorded): Recorded => {
  const { status, body, entry } = recorded
  if (status === undefined || status >= 300) throw new Error(`${entry.name}: ${status} ${JSON.stringify(body)}`)
  return recorded
}

const documentsOf = ({ request, answered }: LedgerEntry): number => {
  if (request.kind === 'upload') return request.documents.length - (answered.refusedIds?.length ?? 0)
  return request.kind === 'delete' ? request.ids.length : 0
}

/** Counts the uploads and deletions with this outcome, and their documents. */
export const countWrites = (
  entries: readonly LedgerEntry[],
  outcome: LedgerEntry['outcome'],
): { readonly requests: number; readonly documents: number } => {
  const writes = entries.filter(
    (entry) => entry.outcome === outcome && (entry.request.kind === 'upload' || entry.request.kind === 'delete'),
  )
  return { requests: writes.length, documents: writes.reduce((sum, entry) => sum + documentsOf(entry), 0) }
}
