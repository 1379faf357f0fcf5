import { directTextWorker } from '@cairn/domain/direct-text-worker'
import type { ItemTexts, ItemWords } from '@cairn/domain/item-words'
import type { TextWorker } from '@cairn/domain/ports/text-worker'
import { createThreadLink } from './threads/link.ts'

/** A call of the worker, as its thread receives it. */
export type TextRequest = {
  [T in 'cut' | 'words']: { readonly task: T; readonly input: Parameters<TextWorker[T]> }
}['cut' | 'words']

/** UTF-16 units up to which any text is computed in the calling thread, in a few milliseconds. */
const directLength = 2_000

const lengthOf = ({ metadata, passages }: ItemTexts): number =>
  passages.reduce((sum, { length }) => sum + length, metadata.length)

/** Creates a text worker with one thread, which starts with the first long text. */
export const threadTextWorker = (): TextWorker => {
  const link = createThreadLink<TextRequest>({
    url: new URL('./text-worker/thread.ts', import.meta.url),
    workerData: undefined,
    owner: 'text worker',
  })
  return {
    cut: async (...input) => {
      const [text, tokens, { maxTokens }] = input
      // A text with few tokens is returned whole, without a look at it.
      const isDirect = text.length <= directLength || tokens.length <= maxTokens
      return isDirect
        ? directTextWorker.cut(...input)
        : ((await link.call({ task: 'cut', input })) as Awaited<ReturnType<TextWorker['cut']>>)
    },
    words: async (items) =>
      items.reduce((sum, item) => sum + lengthOf(item), 0) <= directLength
        ? directTextWorker.words(items)
        : ((await link.call({ task: 'words', input: [items] })) as ItemWords[]),
    close: link.close,
  }
}
