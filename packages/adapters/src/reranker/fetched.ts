import { AppError } from '@cairn/contracts/errors'
import type { Reranker } from '@cairn/domain/ports/reranker'
import type { Report } from '../embedder/model/sources.ts'

export type FetchedRerankerOptions = {
  readonly model: string
  /** Fetches the model's folder if necessary. Called once, at creation. */
  readonly resolveModel: (report: Report, signal: AbortSignal) => Promise<string>
  readonly open: (modelDir: string) => Reranker
  readonly onFailed: (reason: string) => void
}

const loadingRetryAfterSeconds = 5
const wayOut = 'Set CAIRN_RERANK_MODEL_DIR to a folder that holds it, or CAIRN_RERANK_URL, and restart'

/** Fetches its model at creation; `unavailable` until then, and `conflict` if that fails. */
export const fetchedReranker = ({ model, resolveModel, open, onFailed }: FetchedRerankerOptions): Reranker => {
  const closing = new AbortController()
  let progress = 'resolving the model'
  let opened: Reranker | undefined
  let failure: string | undefined

  const load = async (): Promise<void> => {
    try {
      const modelDir = await resolveModel(({ detail }) => {
        progress = detail
      }, closing.signal)
      closing.signal.throwIfAborted()
      opened = open(modelDir)
    } catch (error) {
      failure = `The reranker ${model} can't be used: ${error instanceof Error ? error.message : String(error)}. ${wayOut}.`
      if (!closing.signal.aborted) onFailed(failure)
    }
  }
  const loaded = load()

  return {
    model,
    rerank: async (query, texts, options) => {
      options.signal.throwIfAborted()
      closing.signal.throwIfAborted()
      if (opened) return opened.rerank(query, texts, options)
      if (failure !== undefined) throw new AppError('conflict', failure)
      throw new AppError(
        'unavailable',
        `The reranker is loading (${progress}); retry in ${loadingRetryAfterSeconds} seconds`,
        { retryAfterSeconds: loadingRetryAfterSeconds },
      )
    },
    close: async () => {
      closing.abort(new AppError('unavailable', 'The reranker is closed'))
      await loaded
      await opened?.close()
    },
  }
}
