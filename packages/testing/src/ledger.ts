/** A document or vector as it was sent. */
export type SentDocument = {
  readonly id: string
  /** Unlike any other text of the ledger: it tells which upload a body is of. */
  readonly text: string
  /** As it comes back: flat keys, without `id`, `text` and `vector`. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly vector?: readonly number[]
}

/** What a read showed of one item. */
export type SeenDocument = Pick<SentDocument, 'id' | 'text' | 'metadata'> & { readonly namespace: string }

/** What one request asked for. Namespaces go by their names. */
export type Asked =
  | { readonly kind: 'createNamespace'; readonly namespace: string }
  | { readonly kind: 'deleteNamespace'; readonly namespace: string }
  | { readonly kind: 'upload'; readonly namespace: string; readonly documents: readonly SentDocument[] }
  | { readonly kind: 'delete'; readonly namespace: string; readonly ids: readonly string[] }
  | { readonly kind: 'get'; readonly namespace: string; readonly ids: readonly string[] }
  /** All pages of a namespace, from the first call to the last answer. */
  | { readonly kind: 'walk'; readonly namespace: string }
  | { readonly kind: 'search'; readonly namespaces: readonly string[] }

/** What the answer said, where it said it. */
export type Answered = {
  /** Of an upload. */
  readonly uploadId?: string
  /** Ids of an upload that its 207 names as failed: they must not have been taken in. */
  readonly refusedIds?: readonly string[]
  /** Of a read, in the order of the answer. */
  readonly seen?: readonly SeenDocument[]
  /** HTTP requests that made this entry; default 1. */
  readonly requests?: number
  /** A 404: it was refused because there is no such namespace. Left out: not judged. */
  readonly notFound?: boolean
}

/**
 * One request as its client saw it. `acknowledged`: a 2xx; `refused`: a 4xx, so nothing of it may exist; `unknown`: no
 * answer or a 5xx, so it may have taken effect or may still do so: its end is Infinity.
 */
export type LedgerEntry = {
  /** Names it in a violation. */
  readonly name: string
  readonly accountId: string
  readonly asked: Asked
  readonly startedAt: number
  endedAt: number
  outcome: 'acknowledged' | 'refused' | 'unknown'
  answered: Answered
}

export type Ledger = {
  readonly entries: readonly LedgerEntry[]
  /** Right before the request is sent. Until its answer is noted its outcome is unknown. */
  begin(accountId: string, asked: Asked, name?: string): LedgerEntry
  acknowledge(entry: LedgerEntry, answered?: Answered): void
  refuse(entry: LedgerEntry, answered?: Answered): void
}

/**
 * Who asked for what, and what they were told. Time is the order of these calls: of two requests one came before the other
 * only if it ended before the other began.
 */
export const createLedger = (): Ledger => {
  const entries: LedgerEntry[] = []
  let moment = 0
  const end = (entry: LedgerEntry, outcome: LedgerEntry['outcome'], answered: Answered) => {
    moment += 1
    entry.endedAt = moment
    entry.outcome = outcome
    entry.answered = answered
  }
  return {
    entries,
    begin: (accountId, asked, name = `${asked.kind} ${entries.length + 1}`) => {
      moment += 1
      const entry: LedgerEntry = {
        name,
        accountId,
        asked,
        startedAt: moment,
        endedAt: Number.POSITIVE_INFINITY,
        outcome: 'unknown',
        answered: {},
      }
      entries.push(entry)
      return entry
    },
    acknowledge: (entry, answered = {}) => end(entry, 'acknowledged', answered),
    refuse: (entry, answered = {}) => end(entry, 'refused', answered),
  }
}
