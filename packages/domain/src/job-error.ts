import { isAppError } from '@cairn/contracts/errors'

const permanentMark = Symbol('permanent error')
const leaseLostMark = Symbol('lease lost')

/**
 * The job's input is at fault, so a retry would end the same way. `code` is a reason code of the contract, `message` is
 * for users.
 */
export type PermanentError<C extends string = string> = Error & { readonly [permanentMark]: true; readonly code: C }

/** `message` states what was found, without quoting content. */
export const permanentError = <C extends string>(code: C, message: string, options?: ErrorOptions): PermanentError<C> =>
  Object.assign(new Error(message, options), { [permanentMark]: true as const, code })

export const isPermanentError = (error: unknown): error is PermanentError =>
  error instanceof Error && permanentMark in error

/** Ends a run that must not write any more: another worker has the lease, or other bytes replaced the file. */
export const leaseLost = (): Error =>
  Object.assign(new Error('the lease is lost, or the file was replaced'), { [leaseLostMark]: true })

/**
 * What an error means for the job that met it.
 * - `permanent`: the document or file fails with this reason.
 * - `transient`: an engine or the model can't be used now. The job is tried again, without limit.
 * - `lost`: nothing more is written. The holder of the lease continues.
 * - `bug`: anything else. The job is tried again a few times, then fails with `internal`.
 */
export type Failure =
  | { readonly kind: 'permanent'; readonly code: string; readonly message: string }
  | { readonly kind: 'transient' | 'lost' | 'bug' }

/** Decides what an error means for a job. No other place does. */
export const classify = (error: unknown): Failure => {
  if (isPermanentError(error)) return { kind: 'permanent', code: error.code, message: error.message }
  if (error instanceof Error && leaseLostMark in error) return { kind: 'lost' }
  // Only an embedder rejects its input; no other port that jobs use does.
  if (isAppError(error, 'invalid')) return { kind: 'permanent', code: 'embedding_refused', message: error.message }
  // An embedder whose configuration is unusable rejects with `conflict`.
  if (isAppError(error, 'unavailable') || isAppError(error, 'conflict')) return { kind: 'transient' }
  return { kind: 'bug' }
}
