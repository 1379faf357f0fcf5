import type { EmbeddingModel } from '../embedder/port.ts'
import type { Space } from '../vector-index/port.ts'

/** What an account may hold and do. Times are store time in milliseconds unless a name says otherwise. */
export type Counts = { readonly documents: number; readonly vectors: number; readonly namespaces: number }

export type Account = {
  readonly id: string
  readonly name: string
  readonly tier: string
  /** Wall time, milliseconds since the epoch; null: never ends. */
  readonly subscriptionEndsAt: number | null
  /** What is there, as counted by finished operations. */
  readonly counts: Counts
  /** `counts` plus every reservation: the figure limits are checked against, so that one plain condition guards them. */
  readonly held: Counts
  readonly reservations: { readonly [token: string]: Counts & { readonly overdueAt: number } }
  readonly reservationCount: number
  /** Raised by every update of counts or reservations, so that a recount notices. */
  readonly seq: number
  readonly entryClosedUntil: number
  /** Namespace deletions whose content was given back already, each until its last re-check. */
  readonly noted: { readonly [deletionId: string]: number }
  /** Wall time. */
  readonly createdAt: number
}

export type KeyState = 'active' | 'inactive' | 'disabled' | 'revoked'
export type Scope = 'read' | 'write' | 'admin'

export type ApiKey = {
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** Hex HMAC of the secret; the secret itself is shown once and kept nowhere. */
  readonly hmac: string
  readonly scopes: readonly Scope[]
  readonly state: KeyState
  /** Wall time; null: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly createdAt: number
}

export type NamespaceType = 'text' | 'vector'

export type Namespace = {
  /** Minted, never reused: a re-created name is another namespace. */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly type: NamespaceType
  /** Of a vector namespace; null for text. */
  readonly dimension: number | null
  /** Of a text namespace; null for vector. */
  readonly embedding: EmbeddingModel | null
  readonly state: 'active' | 'deleting'
  readonly deletionId: string | null
  /** Wall time. */
  readonly deletionStartedAt: number | null
  readonly itemCount: number
  readonly countSeq: number
  /** Operations under way that will change `itemCount`. */
  readonly open: { readonly [token: string]: { readonly overdueAt: number } }
  readonly openCount: number
  readonly entryClosedUntil: number
  /** Wall time. */
  readonly createdAt: number
}

/** What a caller sent and gets back. `metadata` is JSON text: a caller's keys never become field names of ours. */
export type Body = { readonly text: string; readonly metadata: string; readonly vector?: Float32Array }

export type ItemStatus = 'processing' | 'completed' | 'failed'

export type Item = {
  readonly namespaceId: string
  readonly id: string
  readonly kind: 'document' | 'vector'
  /** The latest body: what documents/get and paging show. */
  readonly body: Body
  /** The upload that wrote `body`. Versions have no order. */
  readonly version: string
  readonly status: ItemStatus
  readonly reason: string | null
  /** What search matches and returns. `body` is kept here only while it differs from the latest. */
  readonly indexed: { readonly version: string; readonly passages: number; readonly body?: Body } | null
  /** Versions that were indexed before and whose points are still to be removed. */
  readonly stale: readonly string[]
  /** Wall time; kept when an id is overwritten. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What decides whether points of an item are dead. */
export type ItemHead = Pick<Item, 'id' | 'version' | 'status' | 'reason' | 'stale'> & { readonly indexedVersion: string | null }

export type Outcome = 'pending' | 'completed' | 'failed' | 'superseded' | 'deleted'
export type DocumentOutcome = { readonly id: string; readonly outcome: Outcome; readonly reason?: string }
export type JobState = 'accepting' | 'queued' | 'running' | 'completed' | 'failed'

/** The part every kind of job has. The record is the job's truth and its outbox entry; a message only hints at it. */
export type Job = {
  readonly id: string
  readonly accountId: string
  readonly namespaceId: string
  readonly state: JobState | 'rechecking'
  /** A merely queued job may be started by its message at once; one that failed before waits for `nextAttemptAt`. */
  readonly waiting: 'fresh' | 'retry'
  readonly nextAttemptAt: number
  /** When an `accepting` record may be taken over. */
  readonly overdueAt: number
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time a lease is taken: the condition of taking one. */
  readonly leaseSeq: number
  /** Leases taken since the last progress. */
  readonly starts: number
  /** Attempts that ended in an error of ours. */
  readonly attempts: number
  /** Times it was put back since the last progress: what the next delay grows with. */
  readonly retries: number
  readonly lastError: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

export type Upload = Job & {
  readonly kind: 'text' | 'vectors'
  /** Accepted ids, each once. */
  readonly ids: readonly string[]
  /** Refused by validation: part of the answer, kept for the status page. */
  readonly rejected: readonly { readonly id: string; readonly error: string; readonly message: string }[]
  /** Final once the job is. */
  readonly outcomes: readonly DocumentOutcome[]
  /** Milliseconds spent per stage. */
  readonly times: { readonly [stage: string]: number }
}

/** As read before removal: which versions' points have to go. */
export type DeletedVersion = {
  readonly id: string
  readonly version: string
  readonly indexedVersion: string | null
  readonly stale: readonly string[]
}

export type Deletion = Job & {
  readonly target: 'items' | 'namespace'
  readonly namespaceName: string
  /** Where the points are: the namespace's record is gone before its last re-check. */
  readonly space: Space
  readonly list: readonly DeletedVersion[]
  readonly itemsDone: boolean
  /** How many re-checks of a removed namespace are done. */
  readonly rechecks: number
  /** What was removed per store. */
  readonly removed: { readonly [store: string]: number }
}

export type DeadLetter = {
  readonly id: string
  readonly topic: string
  readonly group: string
  readonly reason: string
  readonly raw: string
  /** Wall time. */
  readonly at: number
  readonly replayedAt: number | null
}

export type Usage = {
  readonly accountId: string /** `YYYY-MM`, UTC. */
  readonly period: string
  readonly requests: number
  readonly credits: number
}

/**
 * Whether a version of an item is dead: it will never again be found, so its points may go. Dead is for ever, because a
 * version never returns and a final status never becomes `processing` again under the same version.
 */
export const isDead = (item: ItemHead | undefined, version: string): boolean =>
  item === undefined || (item.indexedVersion !== version && (item.version !== version || item.status !== 'processing'))
