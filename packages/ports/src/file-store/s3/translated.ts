import { AppError, isAppError } from '@cairn/contracts/errors'

type SdkError = {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

export const statusOf = (error: unknown): number | undefined => (error as SdkError | undefined)?.$metadata?.httpStatusCode

const unfit = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'InvalidRange', 'KeyTooLongError', 'XMinioInvalidObjectName'])
/** An object where the key needs a folder, or the other way round. */
const nested = new Set(['ObjectParentIsFile', 'ExistingObjectIsDirectory', 'XMinioParentIsObject', 'XMinioObjectExistsAsDirectory'])
/** Busy, or not set up: a bucket is missing until somebody makes it. */
const passing = new Set(['SlowDown', 'RequestTimeout', 'OperationAborted', 'NoSuchBucket'])

const isPassing = (error: unknown, name: string, status: number | undefined): boolean =>
  // Without a status there was no answer: refused, reset, unknown host, too slow. Or the mistake is ours.
  status === undefined
    ? !(error instanceof TypeError || error instanceof RangeError)
    : status === 429 || (status >= 500 && status !== 501) || passing.has(name)

/**
 * An engine error in our words. What passes by itself, or once the operator has mended the store, is `unavailable`; what says
 * that the settings are wrong (credentials, region, rights) is `internal`, with what the store called it.
 */
export const translated = (error: unknown): AppError => {
  if (isAppError(error)) return error
  const { name = '', message = String(error) } = (error ?? {}) as SdkError
  const status = statusOf(error)
  const said = `${name}${status === undefined ? '' : ` (${status})`}: ${message}`
  if (name === 'NoSuchUpload') return new AppError('notFound', 'The multipart upload does not exist', { cause: error })
  if (name === 'EntityTooLarge') return new AppError('tooLarge', `The object store is full: ${said}`, { cause: error })
  if (nested.has(name)) return new AppError('conflict', `The file store has the key's folder as a file: ${said}`, { cause: error })
  if (unfit.has(name)) return new AppError('invalid', `The object store rejected the request: ${said}`, { cause: error })
  if (isPassing(error, name, status)) {
    return new AppError('unavailable', `The file store can't be used: ${said}`, { cause: error, retryAfterSeconds: 5 })
  }
  return new AppError('internal', `The object store refused the request: ${said}`, { cause: error })
}
