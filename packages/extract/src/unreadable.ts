import type { ReasonCode } from '@cairn/contracts/files/file-reasons'
import { isPermanentError, type PermanentError, permanentError } from '@cairn/contracts/permanent-error'

export const unreadable: (code: ReasonCode, message: string, options?: ErrorOptions) => PermanentError<ReasonCode> =
  permanentError

export const isUnreadable = (error: unknown): error is PermanentError<ReasonCode> => isPermanentError(error)
