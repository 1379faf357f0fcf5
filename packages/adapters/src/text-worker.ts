import { isAppError } from '@cairn/contracts/errors'
import { permanentError } from '@cairn/contracts/permanent-error'
import { createTurnOrder } from '@cairn/domain/jobs/turn-order'
import type { TextTurn, TextWorker } from '@cairn/domain/ports/text-worker'
import type { CutOptions, Stretch } from '@cairn/domain/text/cut-passages'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import type { ItemTexts, ItemWords } from '@cairn/domain/text/item-words'
import { ThreadLink } from './threads/link.ts'

export type TextRequest =
  | { readonly task: 'cut'; readonly input: readonly [string, Uint32Array, CutOptions] }
  | { readonly task: 'words'; readonly input: readonly [readonly ItemTexts[]] }

type Waiting = { readonly length: number; readonly start: () => Promise<void> }

/** UTF-16 units that are computed in the calling thread, in a few milliseconds. */
const directLength = 2_000

const lengthOf = ({ metadata, passages }: ItemTexts): number =>
  passages.reduce((sum, { length }) => sum + length, metadata.length)

/**
 * One thread, started with the first long text. It has one call at a time, so that callers take turns, and a call that
 * ends the thread is known.
 */
export const threadTextWorker = (url = new URL('./text-worker/thread.ts', import.meta.url)): TextWorker => {
  const link = new ThreadLink<TextRequest>({ url, workerData: undefined, owner: 'text worker' })
  const order = createTurnOrder()
  const waiting = new Map<string, Waiting[]>()
  let isClosed = false

  const compute = async (request: TextRequest, isRepeated = false): Promise<unknown> => {
    try {
      return await link.call(request)
    } catch (error) {
      if (isClosed || !isAppError(error, 'unavailable')) throw error
      if (isRepeated)
        throw permanentError('internal', 'The text ended the thread that reads it, twice.', { cause: error })
      return compute(request, true)
    }
  }
  const serve = async () => {
    for (let caller = order.next(() => true); caller !== undefined; caller = order.next(() => true)) {
      const next = waiting.get(caller)?.shift()
      if (next) {
        order.charge(caller, next.length)
        await next.start()
      } else {
        order.remove(caller)
        waiting.delete(caller)
      }
    }
  }
  const inTurn = (request: TextRequest, length: number, turn: TextTurn = { caller: '' }): Promise<unknown> => {
    const { caller, signal, onWaited } = turn
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const since = performance.now()
    const abort = () => reject(signal?.reason)
    const start = async () => {
      if (signal?.aborted) return abort()
      onWaited?.(performance.now() - since)
      await compute(request).then(resolve, reject)
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort, { once: true })
    const isIdle = waiting.size === 0
    waiting.set(caller, [...(waiting.get(caller) ?? []), { length, start }])
    order.add(caller)
    if (isIdle) void serve()
    return promise
  }
  return {
    cut: async (text, tokens, options, turn) => {
      // A text with few tokens is returned whole, without a look at it.
      const isDirect = text.length <= directLength || tokens.length <= options.maxTokens
      return isDirect
        ? directTextWorker.cut(text, tokens, options)
        : ((await inTurn({ task: 'cut', input: [text, tokens, options] }, text.length, turn)) as Stretch[])
    },
    words: async (items, turn) => {
      const length = items.reduce((sum, item) => sum + lengthOf(item), 0)
      return length <= directLength
        ? directTextWorker.words(items)
        : ((await inTurn({ task: 'words', input: [items] }, length, turn)) as ItemWords[])
    },
    close: () => {
      isClosed = true
      return link.close()
    },
  }
}
