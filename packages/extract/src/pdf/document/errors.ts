/** Returns errors that the file caused; throws those of disk or memory. */
export const orError = <T>(read: () => T): T | Error => {
  try {
    return read()
  } catch (error) {
    if (isDiskOrMemoryError(error) || !(error instanceof Error)) throw error
    return error
  }
}

/** Disk or memory: the next page would fail too, but a retry may succeed. */
export const isDiskOrMemoryError = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || /allocation failed|out of memory/i.test(error.message))
