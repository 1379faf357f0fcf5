import type { ReasonCode } from '@cairn/contracts/file-reasons'

const mark = Symbol.for('cairn.unreadable')

/** The file is at fault, for this reason; `message` says what was found, without quoting content. */
export const unreadable = (code: ReasonCode, message: string, options?: ErrorOptions): Error =>
  Object.assign(new Error(message, options), { [mark]: true, code })

export const isUnreadable = (error: unknown): error is Error & { readonly code: ReasonCode } => error instanceof Error && mark in error
