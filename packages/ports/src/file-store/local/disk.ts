import { AppError } from '@cairn/contracts/errors'

/** Whatever the disk or the index on it refuses (full, broken, out of descriptors, taken away) is engine trouble. */
export const diskTrouble = (cause: unknown): AppError =>
  new AppError('unavailable', `The file store can't use its directory: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
    retryAfterSeconds: 5,
  })

/** Runs a disk operation; errors of a source that is being written pass unchanged. */
export const onDisk = async <T>(operation: () => Promise<T>): Promise<T> => {
  try {
    return await operation()
  } catch (error) {
    throw error instanceof AppError ? error : diskTrouble(error)
  }
}
