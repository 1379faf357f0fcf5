/** Lease on a job; the token proves who holds it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** Lane of a job: one slot is reserved for `short` jobs. */
export type Lane = 'short' | 'long'

export type JobState = 'accepting' | 'queued' | 'running' | 'completed' | 'failed'

/**
 * The part that all jobs share. The record is the source of truth for the job and its outbox entry; a message is only a
 * hint.
 */
export type Job = {
  readonly id: string
  readonly accountId: string
  readonly namespaceId: string
  readonly state: JobState | 'rechecking'
  /** A fresh job may be started by its message at once; a job that failed before waits until `nextAttemptAt`. */
  readonly waiting: 'fresh' | 'retry'
  /**
   * Bytes charged to the account's turn: the size of the texts, or of the file, where the bytes also count toward the
   * account's storage. Missing if the size is not known.
   */
  readonly bytes?: number
  /** Missing or null: `long`. */
  readonly lane?: 'short' | null
  /**
   * Store time at which the work last began; for a file, at which the work on its version began. Missing or null: not
   * yet.
   */
  readonly startedAt?: number | null
  /** Store time at which the work ended, before any re-checks. Missing or null: it has not. */
  readonly endedAt?: number | null
  readonly nextAttemptAt: number
  /** Store time at which an `accepting` record may be taken over. */
  readonly overdueAt: number
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time a lease is taken; taking one is conditional on this number. */
  readonly leaseSeq: number
  /** Number of releases in which the job only waited for work of other jobs; missing: none. */
  readonly waits?: number
  /** Leases taken since the last progress. */
  readonly starts: number
  /** Attempts that ended in an internal error. */
  readonly attempts: number
  /** Releases since the last progress; the delay before the next attempt grows with this number. */
  readonly retries: number
  readonly lastError: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

/** A request that was sent with an idempotency key, and its response once it is known. */
export type RepeatableRequest = {
  /** Account id, or `admin`. */
  readonly owner: string
  /** Hash of method, path and idempotency key. */
  readonly key: string
  /** Hash of the rest of the request: another request with the same key is rejected. */
  readonly fingerprint: string
  /** Token of the request that is running or ran last. */
  readonly token: string
  /** Store time at which another request may take over; null once there is a response. */
  readonly until: number | null
  /** Encrypted, because the response may hold a secret that is shown once. */
  readonly response: string | null
  /** Store time at which the record is removed. */
  readonly expiresAt: number
}

/** A periodic task of the cluster: one process at a time works on it, range by range. Times are store time. */
export type Task = {
  readonly name: string
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time the lease is taken; taking it is conditional on this number. */
  readonly leaseSeq: number
  /** Position of the current pass, opaque here; null: no pass is running. */
  readonly cursor: string | null
  /** Store time at which the last pass ended; null: never. */
  readonly doneAt: number | null
}
