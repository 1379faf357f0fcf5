import { AppError, isAppError } from '@cairn/contracts/errors'

type SdkError = {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

export const statusOf = (error: unknown): number | undefined =>
  (error as SdkError | undefined)?.$metadata?.httpStatusCode

const unfit = new Set([
  'InvalidPart',
  'InvalidPartOrder',
  'EntityTooSmall',
  'InvalidRange',
  'KeyTooLongError',
  'XMinioInvalidObjectName',
])
/** A key needs a folder where an object is, or the reverse. */
const nested = new Set([
  'ObjectParentIsFile',
  'ExistingObjectIsDirectory',
  'XMinioParentIsObject',
  'XMinioObjectExistsAsDirectory',
])
/** The store is busy or incomplete; a missing bucket may still be created. */
const passing = new Set(['SlowDown', 'RequestTimeout', 'OperationAborted', 'NoSuchBucket'])

const isPassing = (error: unknown, name: string, status: number | undefined): boolean =>
  // No status: refused, reset, unknown host or timeout. A TypeError or RangeError is a bug of the caller.
  status === undefined
    ? !(error instanceof TypeError || error instanceof RangeError)
    : status === 429 || (status >= 500 && status !== 501) || passing.has(name)

/**
 * Temporary errors and errors of the store are `unavailable`. Errors of the settings (credentials, region, permissions)
 * are `internal`, with the store's error name.
 */
export const translateError = (error: unknown): AppError => {
  if (isAppError(error)) return error
  const { name = '', message = String(error) } = (error ?? {}) as SdkError
  const status = statusOf(error)
  const detail = `${name}${status === undefined ? '' : ` (${status})`}: ${message}`
  if (name === 'NoSuchUpload') return new AppError('notFound', 'The multipart upload does not exist', { cause: error })
  if (name === 'EntityTooLarge')
    return new AppError('tooLarge', `The object store is full: ${detail}`, { cause: error })
  if (nested.has(name))
    return new AppError('conflict', `The file store has the key's folder as a file: ${detail}`, { cause: error })
  if (unfit.has(name))
    return new AppError('invalid', `The object store rejected the request: ${detail}`, { cause: error })
  if (isPassing(error, name, status)) {
    return new AppError('unavailable', `The file store can't be used: ${detail}`, {
      cause: error,
      retryAfterSeconds: 5,
    })
  }
  return new AppError('internal', `The object store refused the request: ${detail}`, { cause: error })
}
