import { AppError } from '@cairn/contracts/errors'
import { damageError } from '../../schema/sqlite.ts'

/** Errors of the disk or of the index on it: full, broken, out of descriptors, removed. */
export const diskTrouble = (cause: unknown): AppError =>
  damageError('file store', cause) ??
  new AppError(
    'unavailable',
    `The file store can't use its directory: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      cause,
      retryAfterSeconds: 5,
    },
  )

/** AppErrors pass unchanged. */
export const onDisk = async <T>(operation: () => Promise<T>): Promise<T> => {
  try {
    return await operation()
  } catch (error) {
    throw error instanceof AppError ? error : diskTrouble(error)
  }
}
