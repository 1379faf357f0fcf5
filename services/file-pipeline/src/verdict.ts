const mark = Symbol('verdict')

/** Why a version goes no further: it failed for good, or is somebody else's by now. Thrown, since it may be found deep in the reading. */
export type Verdict = Error & { readonly [mark]: true; readonly verdict: { readonly reason: string } | 'lost' }

const verdict = (message: string, what: Verdict['verdict']): Verdict =>
  Object.assign(new Error(message), { [mark]: true as const, verdict: what })

/** For users: `reason` is one of the contract's file reasons, `message` says what was found. */
export const failed = (reason: string, message: string): Verdict => verdict(message, { reason })

/** The lease is lost, or other bytes are to be read: nothing more is written. */
export const lost = (): Verdict => verdict('the file is read by another, or anew', 'lost')

export const isVerdict = (error: unknown): error is Verdict => error instanceof Error && mark in error
