/** Returns the result, or an error that the file caused; errors of disk or memory are thrown. */
export const orError = <T>(read: () => T): T | Error => {
  try {
    return read()
  } catch (error) {
    if (isOurs(error) || !(error instanceof Error)) throw error
    return error
  }
}

/** Whether disk or memory caused the error. If so, the next page would fail too, but a retry may succeed. */
export const isOurs = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || /allocation failed|out of memory/i.test(error.message))
