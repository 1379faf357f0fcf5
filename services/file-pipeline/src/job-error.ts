const mark = Symbol('job error')

/**
 * Ends the processing of a file version for good. `permanent`: it fails with this reason code and the error's message, for users.
 * Without it the lease is lost, or other bytes replaced the file: nothing more is written.
 */
export type JobError = Error & { readonly [mark]: true; readonly permanent?: { readonly reason: string } }

/** `reason` is one of the contract's file reasons, `message` says what was found. */
export const permanentError = (reason: string, message: string): JobError =>
  Object.assign(new Error(message), { [mark]: true as const, permanent: { reason } })

export const leaseLost = (): JobError => Object.assign(new Error('the lease is lost, or the file was replaced'), { [mark]: true as const })

export const isJobError = (error: unknown): error is JobError => error instanceof Error && mark in error
