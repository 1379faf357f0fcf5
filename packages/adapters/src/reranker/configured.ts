import { availableParallelism } from 'node:os'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Reranker } from '@cairn/domain/ports/reranker'
import { httpReranker, type RerankForm } from './http.ts'
import { localReranker } from './local.ts'

/** Settings of the reranker. The runtime's reranker configuration describes each setting. */
export type RerankerSettings = {
  readonly rerankUrl?: string | undefined
  readonly rerankModelDir?: string | undefined
  readonly rerankApiKey?: string | undefined
  readonly rerankForm: RerankForm
  readonly rerankModel?: string | undefined
  readonly rerankTimeoutMs: number
}

/** Returns the reranker that the settings select; undefined if they select none. */
export const configuredReranker = (settings: RerankerSettings, clock: Clock): Reranker | undefined => {
  const { rerankUrl: url, rerankApiKey: apiKey, rerankForm: form, rerankTimeoutMs: timeoutMs } = settings
  const { rerankModelDir: modelDir } = settings
  if (modelDir !== undefined)
    return localReranker({ modelDir, model: settings.rerankModel, workers: availableParallelism(), timeoutMs, clock })
  if (url === undefined) return undefined
  const { rerankModel: model = form === 'tei' ? 'tei' : undefined } = settings
  if (model === undefined) throw new AppError('invalid', 'CAIRN_RERANK_MODEL must be set with CAIRN_RERANK_URL')
  return httpReranker({ url, apiKey, form, model, timeoutMs, clock })
}
