import { AppError } from '@cairn/contracts/errors'
import { ThreadLink } from '../threads/link.ts'
import type { IndexFault, IndexOperation, IndexResult } from './sqlite-index-worker.ts'

/** `unsettled`: the write may still have taken effect. */
type FailedWrite = { readonly failed: AppError; readonly unsettled: boolean }
const failure = (message: string, unsettled: boolean, cause?: unknown): FailedWrite => ({
  failed: new AppError('unavailable', `The index of the file store can't be written: ${message}`, {
    cause,
    retryAfterSeconds: 5,
  }),
  unsettled,
})

/** The thread starts on first use; a failed one is replaced by the next operation. */
export const createIndexWriter = (file: string) => {
  const link = new ThreadLink<IndexOperation>({
    url: new URL('./sqlite-index-worker.ts', import.meta.url),
    workerData: { file },
    owner: 'file store',
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 },
  })
  return {
    /** Resolves when the commit is durable or has failed. */
    run: async (operation: IndexOperation): Promise<IndexResult | FailedWrite> => {
      try {
        const outcome = (await link.call(operation)) as IndexResult | IndexFault
        return 'fault' in outcome ? failure(outcome.fault, outcome.unsettled, outcome.cause) : outcome
      } catch (cause) {
        return failure(cause instanceof Error ? cause.message : String(cause), true, cause)
      }
    },
    close: () => link.close(),
  }
}
