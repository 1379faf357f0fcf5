/** A document or vector as it was sent. */
export type SentDocument = {
  readonly id: string
  /** Unique in the ledger, so that a body identifies its upload. */
  readonly text: string
  /** Metadata as reads return it: flat keys, without `id`, `text` and `vector`. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly vector?: readonly number[]
}

/** One item in the answer to a read. */
export type ReturnedDocument = Pick<SentDocument, 'id' | 'text' | 'metadata'> & { readonly namespace: string }

/** The content of one request. Namespaces are identified by name. */
export type LedgerRequest =
  | { readonly kind: 'createNamespace'; readonly namespace: string }
  | { readonly kind: 'deleteNamespace'; readonly namespace: string }
  | { readonly kind: 'upload'; readonly namespace: string; readonly documents: readonly SentDocument[] }
  | { readonly kind: 'delete'; readonly namespace: string; readonly ids: readonly string[] }
  | { readonly kind: 'get'; readonly namespace: string; readonly ids: readonly string[] }
  /** Reads all pages of a namespace, from the first request to the last answer. */
  | { readonly kind: 'walk'; readonly namespace: string }
  | { readonly kind: 'evaluate'; readonly namespace: string }
  | { readonly kind: 'search'; readonly namespaces: readonly string[] }

/** The content of an answer; unset fields are absent from the answer. */
export type Answered = {
  /** Set for an upload. */
  readonly uploadId?: string
  /** Ids that the 207 of an upload reports as failed; their documents must not be stored. */
  readonly refusedIds?: readonly string[]
  /** Set for a read: documents in the order of the answer. */
  readonly returned?: readonly ReturnedDocument[]
  /** Number of HTTP requests of this entry; default 1. */
  readonly requests?: number
  /** Whether the answer was a 404, because the namespace does not exist. If not set, this is not checked. */
  readonly notFound?: boolean
}

/**
 * One request and its outcome for the client. `acknowledged`: a 2xx; `refused`: a 4xx except 408, so the request must
 * have no effect; `unknown`: no answer, a 408 or a 5xx. An unknown request may have taken effect or still take effect,
 * so its end is Infinity.
 */
export type LedgerEntry = {
  /** Name of the request in violations. */
  readonly name: string
  readonly accountId: string
  readonly request: LedgerRequest
  readonly startedAt: number
  endedAt: number
  outcome: 'acknowledged' | 'refused' | 'unknown'
  answered: Answered
}

export type Ledger = {
  readonly entries: readonly LedgerEntry[]
  /** Records a request right before it is sent. Until the answer is recorded, the outcome is unknown. */
  begin(accountId: string, request: LedgerRequest, name?: string): LedgerEntry
  acknowledge(entry: LedgerEntry, answered?: Answered): void
  refuse(entry: LedgerEntry, answered?: Answered): void
}

/**
 * Creates a record of requests and answers. Time is the order of these calls: a request precedes another only if it
 * ended before the other began.
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
    begin: (accountId, request, name = `${request.kind} ${entries.length + 1}`) => {
      moment += 1
      const entry: LedgerEntry = {
        name,
        accountId,
        request,
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
