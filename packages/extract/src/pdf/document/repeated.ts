import { hash } from 'node:crypto'
import { mayBeStamp, textOf } from './compare-scan.ts'
import type { Content } from './read-content.ts'

/**
 * Finds pages whose text and fields equal those of a page shortly before, as in a file that names one page thousands of
 * times. Compares only within a turn and the turn before, so that a run that resumes needs only these.
 */
export const createRepeatFinder = () => {
  let before: ReadonlySet<string> = new Set()
  let current = new Set<string>()
  return {
    beginTurn(): void {
      before = current
      current = new Set()
    },
    /** Adds a page. Returns false for a page that OCR may read. */
    isRepeated(content: Content | Error | undefined): boolean {
      if (!content || content instanceof Error) return false
      if (!content.isUsable || content.isOcrLayer || mayBeStamp(content)) return false
      const { parts, typed, hidden, running, size } = content
      const key = hash('sha256', JSON.stringify([parts.map(textOf), typed, hidden, running, size]))
      const isKnown = before.has(key) || current.has(key)
      current.add(key)
      return isKnown
    },
  }
}
