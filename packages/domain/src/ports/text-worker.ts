import type { CutOptions, Stretch } from '../text/cut-passages.ts'
import type { ItemTexts, ItemWords } from '../text/item-words.ts'

export type TextTurn = {
  /** Callers (namespace ids) take turns by the length of their texts. */
  readonly caller: string
  /** Rejects the call with the reason, and drops it if it has not begun. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds waited for others. */
  readonly onWaited?: (ms: number) => void
}

/**
 * Off the event loop, one call after the other. AppError `unavailable` if interrupted; a permanent error if a text ends
 * the worker twice.
 */
export interface TextWorker {
  /** See `cutPassages`. */
  cut(text: string, tokens: Uint32Array, options: CutOptions, turn?: TextTurn): Promise<Stretch[]>
  /** See `wordsOfItem`. */
  words(items: readonly ItemTexts[], turn?: TextTurn): Promise<ItemWords[]>
  close(): Promise<void>
}
