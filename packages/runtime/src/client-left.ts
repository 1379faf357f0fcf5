import { AppError } from '@cairn/contracts/errors'

/** Ends a request whose client disconnected. Nobody reads the text, and it is not an internal error. */
export const clientLeft = (): AppError =>
  new AppError('invalid', 'The connection was closed before the request was answered')
