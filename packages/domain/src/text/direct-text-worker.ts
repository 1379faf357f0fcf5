import type { TextWorker } from '../ports/text-worker.ts'
import { cutPassages } from './cut-passages.ts'
import { wordsOfItem } from './item-words.ts'

/** Computes in the calling thread: for short texts, commands, tests, and a text worker's own thread. */
export const directTextWorker: TextWorker = {
  cut: async (text, tokens, options) => cutPassages(text, tokens, options),
  words: async (items) => items.map(wordsOfItem),
  close: async () => {},
}
