import type { ReasonCode } from '@cairn/contracts/file-reasons'
import { isPermanentError, type PermanentError, permanentError } from '@cairn/domain/job-error'

/** The file is at fault, for this reason. */
export const unreadable: (code: ReasonCode, message: string, options?: ErrorOptions) => PermanentError<ReasonCode> = permanentError

export const isUnreadable = (error: unknown): error is PermanentError<ReasonCode> => isPermanentError(error)
