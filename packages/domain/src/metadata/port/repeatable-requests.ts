import type { RepeatableRequest } from '../records.ts'

/**
 * Outcome of a begin. `begun`: run the request. `running`: another one runs. `reused`: the key belongs to a request with
 * another fingerprint. `response`: that of the request, as it was stored.
 */
export type BeginResult = 'begun' | 'running' | 'reused' | { readonly response: string }

type Place = Pick<RepeatableRequest, 'owner' | 'key'>
type Held = Place & Pick<RepeatableRequest, 'token'>

/** Requests with an idempotency key. A running one holds its key for 30 s from `begin` or the last `renew`. */
export interface RepeatableRequestStore {
  /** Takes the key if it is free, expired, or held by a request whose lease is over. `keepMs`: how long it is kept. */
  begin(request: Held & Pick<RepeatableRequest, 'fingerprint'>, keepMs: number): Promise<BeginResult>
  /** False: another request has taken the key over. */
  renew(held: Held): Promise<boolean>
  /** Stores the response. False: another request has taken the key over, and nothing was written. */
  finish(held: Held, response: string): Promise<boolean>
  /** Frees the key of a request whose response is not kept. */
  release(held: Held): Promise<void>
  /** Removes the record and resolves to its response, for one of many callers; undefined without a response. */
  take(place: Place): Promise<string | undefined>
  /** Removes expired records; resolves to the number removed. */
  prune(limit: number): Promise<number>
}
