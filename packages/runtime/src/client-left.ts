import { AppError } from '@cairn/contracts/errors'

/** Ends a call whose client has gone away. Nobody reads its text, and it is no mistake of ours. */
export const clientLeft = (): AppError => new AppError('invalid', 'The connection was closed before the request was answered')
