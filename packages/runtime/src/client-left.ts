import { AppError } from '@cairn/contracts/errors'

/** Ends a call whose client has gone away. Nobody reads its text, and it is not an internal error. */
export const clientLeft = (): AppError => new AppError('invalid', 'The connection was closed before the request was answered')
