import type { CutOptions, Stretch } from '../text/cut-passages.ts'
import type { ItemTexts, ItemWords } from '../text/item-words.ts'

export type TextTurn = {
  /** Callers take turns by the length of their texts: the id of a namespace. */
  readonly caller: string
  /** Rejects the call with the reason, and drops it if it has not begun. */
  readonly signal?: AbortSignal | undefined
  /** Receives the milliseconds that the call waited for others. */
  readonly onWaited?: (ms: number) => void
}

/**
 * Computes over long texts of users without occupying the event loop, one call after the other. Rejects with AppError
 * `unavailable` if the computation was interrupted, and with a permanent error if the text ends the worker twice.
 */
export interface TextWorker {
  /** See `cutPassages`. */
  cut(text: string, tokens: Uint32Array, options: CutOptions, turn?: TextTurn): Promise<Stretch[]>
  /** Returns the words of each item's passages; see `wordsOfItem`. */
  words(items: readonly ItemTexts[], turn?: TextTurn): Promise<ItemWords[]>
  close(): Promise<void>
}
