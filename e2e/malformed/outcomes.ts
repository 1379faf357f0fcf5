import type { FailureCode } from '@cairn/contracts/file-reasons'

/** An allowed outcome of a file. */
export type Expected = {
  readonly codes: readonly FailureCode[]
  /**
   * The text of a completed file: something of the sound file (`own`), something that can be read (`letters`), or what the
   * mutation has put into it. Absent: it must not complete.
   */
  readonly text?: 'own' | 'letters' | RegExp
}

export type ExpectedByKind = Readonly<Record<string, Expected>>

export const fails = (...codes: FailureCode[]): Expected => ({ codes })
/** Completed with this text, or failed with one of these. */
export const says = (text: NonNullable<Expected['text']>, ...codes: FailureCode[]): Expected => ({ text, codes })
