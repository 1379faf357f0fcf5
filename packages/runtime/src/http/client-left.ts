import { AppError } from '@cairn/contracts/errors'

/** Has the code `invalid`, so that it is not logged as an internal error; nobody reads the message. */
export const clientLeft = (): AppError =>
  new AppError('invalid', 'The connection was closed before the request was answered')
