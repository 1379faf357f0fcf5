import { AppError } from '@cairn/contracts/errors'

/**
 * Returns the error that ends a request whose client disconnected. The code is `invalid`, so the request is not logged
 * as an internal error; nobody reads the message.
 */
export const clientLeft = (): AppError =>
  new AppError('invalid', 'The connection was closed before the request was answered')
