import { isAppError } from '@cairn/contracts/errors'
import { isPermanentError } from '@cairn/contracts/permanent-error'

const leaseLostMark = Symbol('lease lost')

/** The run must not write any more: another worker has the lease, or other bytes replaced the file. */
export const leaseLost = (): Error =>
  Object.assign(new Error('the lease is lost, or the file was replaced'), { [leaseLostMark]: true })

/**
 * How a job handles an error.
 * - `permanent`: the document or file fails with this reason.
 * - `transient`: an engine or the model can't be used now. The job is tried again, without limit.
 * - `lost`: nothing more is written. The holder of the lease continues.
 * - `bug`: anything else, also what a store rejects as `invalid`: users did not make that request. The job is tried again
 *   a few times, then fails with `internal`.
 */
export type Failure =
  | { readonly kind: 'permanent'; readonly code: string; readonly message: string }
  | { readonly kind: 'transient' | 'lost' | 'bug' }

/** Classifies an error for a job; nothing else does. */
export const classify = (error: unknown): Failure => {
  if (isPermanentError(error)) return { kind: 'permanent', code: error.code, message: error.message }
  if (error instanceof Error && leaseLostMark in error) return { kind: 'lost' }
  // A failed embedder rejects with `conflict`, or with `unavailable` if a server caused it.
  if (isAppError(error, 'unavailable') || isAppError(error, 'conflict')) return { kind: 'transient' }
  return { kind: 'bug' }
}
