import type { FailureCode } from '@cairn/contracts/files/file-reasons'

/** An allowed outcome of a file. */
export type Expected = {
  readonly codes: readonly FailureCode[]
  /**
   * Text that a completed file must contain: text of the undamaged file (`own`), any readable text (`letters`), or the
   * text that the mutation inserted. Absent: the file must not complete.
   */
  readonly text?: 'own' | 'letters' | RegExp
}

export type ExpectedByKind = Readonly<Record<string, Expected>>

export const fails = (...codes: FailureCode[]): Expected => ({ codes })
/** Expects completion with this text, or failure with one of these codes. */
export const says = (text: NonNullable<Expected['text']>, ...codes: FailureCode[]): Expected => ({ text, codes })
