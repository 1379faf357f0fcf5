import type { CutOptions, Stretch } from '../cut-passages.ts'
import type { ItemTexts, ItemWords } from '../item-words.ts'

/**
 * Computes over long texts of users without occupying the event loop. Calls run one after the other, in their order, so
 * a caller with many texts awaits each before the next, to let others in between. Rejects with AppError `unavailable`
 * if the computation was interrupted.
 */
export interface TextWorker {
  /** See `cutPassages`. */
  cut(text: string, tokens: Uint32Array, options: CutOptions): Promise<Stretch[]>
  /** Returns the words of each item's passages; see `wordsOfItem`. */
  words(items: readonly ItemTexts[]): Promise<ItemWords[]>
  close(): Promise<void>
}
