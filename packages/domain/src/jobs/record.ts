/** The token proves who holds it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** One slot is reserved for `short` jobs. */
export type Lane = 'short' | 'long'

export type JobState = 'accepting' | 'queued' | 'running' | 'completed' | 'failed'

/** The record is the source of truth for the job and its outbox entry; a message is only a hint. */
export type Job = {
  readonly id: string
  readonly accountId: string
  readonly namespaceId: string
  readonly state: JobState | 'rechecking'
  /** A fresh job may be started by its message at once; a retry waits until `nextAttemptAt`. */
  readonly waiting: 'fresh' | 'retry'
  /** Charged to the account's turn; a file's also count toward storage. Missing: size not known. */
  readonly bytes?: number
  /** Missing or null: `long`. */
  readonly lane?: 'short' | null
  /** Store time of the work's last start; a file's: of its version's; missing or null: not yet. */
  readonly startedAt?: number | null
  /** Store time, before any re-checks; missing or null: not yet. */
  readonly endedAt?: number | null
  readonly nextAttemptAt: number
  /** Store time at which an `accepting` record may be taken over. */
  readonly overdueAt: number
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised with each lease, which is taken on the condition of this number. */
  readonly leaseSeq: number
  /** Releases in which the job only waited for other jobs. */
  readonly waits?: number
  /** Leases taken since the last progress. */
  readonly starts: number
  /** Attempts that ended in an internal error. */
  readonly attempts: number
  /** Releases since the last progress; the delay grows with them. */
  readonly retries: number
  readonly lastError: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

/** A request with an idempotency key, and its response once known. */
export type RepeatableRequest = {
  /** Account id, or `admin`. */
  readonly owner: string
  /** Hash of method, path and idempotency key. */
  readonly key: string
  /** Hash of the rest of the request: another one with the same key is rejected. */
  readonly fingerprint: string
  /** Names the request that is running or ran last. */
  readonly token: string
  /** Store time at which another request may take over; null once there is a response. */
  readonly until: number | null
  /** Encrypted, because it may hold a secret that is shown once. */
  readonly response: string | null
  /** Store time. */
  readonly expiresAt: number
}

/** A periodic task: one process at a time works on it, range by range. Times are store time. */
export type Task = {
  readonly name: string
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised with each lease, which is taken on the condition of this number. */
  readonly leaseSeq: number
  /** Position of the pass, opaque here; null: none runs. */
  readonly cursor: string | null
  /** End of the last pass. */
  readonly doneAt: number | null
}
