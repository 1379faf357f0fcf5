const permanentMark = Symbol('permanent error')

/** The input is at fault, so a retry would fail too. `code`: of the contract; `message`: for users. */
export type PermanentError<C extends string = string> = Error & { readonly [permanentMark]: true; readonly code: C }

/** `message` states what was found, without quoting content. */
export const permanentError = <C extends string>(code: C, message: string, options?: ErrorOptions): PermanentError<C> =>
  Object.assign(new Error(message, options), { [permanentMark]: true as const, code })

export const isPermanentError = (error: unknown): error is PermanentError =>
  error instanceof Error && permanentMark in error
