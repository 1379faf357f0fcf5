/** null: unlimited. */
export type Limit = number | null

/** In this file, times are store time in milliseconds unless stated otherwise. */
export type Counts = { readonly documents: number; readonly vectors: number; readonly namespaces: number }

export type Account = {
  readonly id: string
  readonly name: string
  readonly tier: string
  /** Wall time, ms since the epoch; null: never ends. */
  readonly subscriptionEndsAt: number | null
  readonly counts: Counts
  /** `counts` plus every reservation: one condition on this sum enforces a limit. */
  readonly held: Counts
  readonly reservations: {
    readonly [token: string]: Counts & { readonly overdueAt: number; readonly namespaceId?: string | null }
  }
  readonly reservationCount: number
  /** Raised by every update of counts or reservations, so that a recount detects updates. */
  readonly seq: number
  /** Deletions of namespaces whose quota is released already, each kept until its last re-check. */
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
  /** Hex HMAC of the secret, which is never stored. */
  readonly hmac: string
  readonly scopes: readonly Scope[]
  readonly state: KeyState
  /** Wall time; null: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly createdAt: number
}

/** Returns a counter for users. It is negative for a moment when items are deleted before their upload is counted. */
export const shownCount = (counter: number): number => Math.max(0, counter)

export type Usage = {
  readonly accountId: string
  /** `YYYY-MM`, UTC. */
  readonly period: string
  readonly requests: number
  readonly credits: number
}

export type DailyUsage = {
  readonly accountId: string
  /** `<kind>/<day>/<name>`. */
  readonly entry: string
  readonly kind: 'key' | 'namespace'
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** Id of the key or name of the namespace. */
  readonly name: string
  readonly requests: number
  readonly credits: number
}
