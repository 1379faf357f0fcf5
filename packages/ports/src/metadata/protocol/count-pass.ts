import type { CountPass } from '../records.ts'
import { compareText } from './documents.ts'

/** How many of these item ids a full count under way has gone by; null when there is none. */
export const passedItems = (pass: CountPass | null, ids: readonly string[]): number | null => {
  if (!pass) return null
  return pass.phase === 'files' ? ids.length : ids.filter((id) => compareText(id, pass.after) <= 0).length
}

/** The part of what a file changes that a full count under way has gone by; null when there is none. */
export const passedFile = (pass: CountPass | null, name: string, changed: number): number | null => {
  if (!pass) return null
  return pass.phase === 'files' && compareText(name, pass.after) <= 0 ? changed : 0
}
