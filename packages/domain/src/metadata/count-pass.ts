import { compareText } from './documents.ts'
import type { CountPass } from './records.ts'

/** Returns how many of these item ids a full count in progress has passed; null without one. */
export const passedItems = (pass: CountPass | null, ids: readonly string[]): number | null => {
  if (!pass) return null
  return pass.phase === 'files' ? ids.length : ids.filter((id) => compareText(id, pass.after) <= 0).length
}

/** Returns the part of a file's change that a full count in progress has passed; null without one. */
export const passedFile = (pass: CountPass | null, name: string, changed: number): number | null => {
  if (!pass) return null
  return pass.phase === 'files' && compareText(name, pass.after) <= 0 ? changed : 0
}
