import { availableParallelism } from 'node:os'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Reranker } from '@cairn/domain/ports/reranker'
import { modelResolver } from '../embedder/model/resolve-model.ts'
import { fetchedReranker } from './fetched.ts'
import { httpReranker, type RerankForm } from './http.ts'
import { localReranker } from './local.ts'
import { type RerankModelName, rerankModels } from './rerank-models.ts'

/** The runtime's reranker configuration describes each setting. */
export type RerankerSettings = {
  readonly rerankUrl?: string | undefined
  readonly rerankModelDir?: string | undefined
  readonly rerankLocalModel?: RerankModelName | undefined
  readonly cacheDir?: string | undefined
  readonly rerankApiKey?: string | undefined
  readonly rerankForm: RerankForm
  readonly rerankModel?: string | undefined
  readonly rerankTimeoutMs: number
}

export type RerankerTools = {
  readonly clock: Clock
  readonly log: { readonly error: (fields: object, message: string) => void }
}

/** Returns undefined if the settings select none. */
export const configuredReranker = (settings: RerankerSettings, { clock, log }: RerankerTools): Reranker | undefined => {
  const { rerankUrl: url, rerankApiKey: apiKey, rerankForm: form, rerankTimeoutMs: timeoutMs } = settings
  const { rerankModelDir, rerankLocalModel, cacheDir } = settings
  const open = (modelDir: string, model = settings.rerankModel) =>
    localReranker({ modelDir, model, workers: availableParallelism(), timeoutMs, clock })
  if (rerankModelDir !== undefined) return open(rerankModelDir)
  if (rerankLocalModel !== undefined) {
    const { rerankModel: model = rerankLocalModel } = settings
    return fetchedReranker({
      model,
      resolveModel: modelResolver({ model: rerankModels[rerankLocalModel], cacheDir }),
      open: (modelDir) => open(modelDir, model),
      onFailed: (reason) => log.error({ reason }, 'reranker failed'),
    })
  }
  if (url === undefined) return undefined
  const { rerankModel: model = form === 'tei' ? 'tei' : undefined } = settings
  if (model === undefined) throw new AppError('invalid', 'CAIRN_RERANK_MODEL must be set with CAIRN_RERANK_URL')
  return httpReranker({ url, apiKey, form, model, timeoutMs, clock })
}
