import { CairnError, type CairnErrorCode } from '@cairn/client'
import { type ErrorCode, isAppError } from '@cairn/contracts/errors'

/** Also in `--help` and docs/cli.md; scripts rely on them. */
export const exitCodes = {
  0: 'done',
  1: 'failed, or failed for some of the items',
  2: 'the command or one of its values is invalid, or it needs --yes because nobody can be asked',
  3: 'rejected: the key is missing or invalid, lacks a permission, or a limit is reached',
  4: 'not found, or a conflict with existing data',
  5: 'the server does not answer or is not ready',
  130: 'stopped by Ctrl-C or by a signal',
} as const

export type ExitCode = keyof typeof exitCodes
/** By the shell's convention. */
export const interrupted: ExitCode = 130

const byCode: Readonly<Record<ErrorCode, ExitCode>> = {
  invalid: 2,
  unauthenticated: 3,
  forbidden: 3,
  limited: 3,
  notFound: 4,
  conflict: 4,
  changed: 4,
  unavailable: 5,
  tooLarge: 1,
  outOfRange: 2,
  tooBroad: 2,
  keyReused: 2,
  headersTooLarge: 1,
  internal: 1,
}

const byClientCode: Readonly<Record<CairnErrorCode, ExitCode>> = {
  invalid: 2,
  unsupported: 2,
  too_broad: 2,
  unauthenticated: 3,
  forbidden: 3,
  limited: 3,
  not_found: 4,
  conflict: 4,
  unavailable: 5,
  network: 5,
  timeout: 5,
  too_large: 1,
  internal: 1,
  unexpected_response: 1,
}

export const exitCodeOf = (error: unknown): ExitCode => {
  if (error instanceof CairnError) return byClientCode[error.code]
  return isAppError(error) ? byCode[error.code] : 1
}
