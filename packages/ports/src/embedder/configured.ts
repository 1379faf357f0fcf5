import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '../clock/port.ts'
import { lexicalEmbedder } from './lexical.ts'
import { localEmbedder } from './local.ts'
import { modelResolver } from './model/resolve-model.ts'
import { openaiEmbedder } from './openai.ts'
import type { Embedder, Embedders } from './port.ts'
import { embedders } from './registry.ts'

/** What an operator may set about models; see the runtime's embedder configuration for each. */
export type EmbedderSettings = {
  readonly embedder: 'local' | 'openai' | 'lexical'
  readonly modelDir?: string | undefined
  readonly cacheDir?: string | undefined
  readonly embedderWorkers?: number | undefined
  readonly openaiUrl?: string | undefined
  readonly openaiApiKey?: string | undefined
  readonly openaiModel?: string | undefined
  readonly openaiDimension?: number | undefined
  readonly openaiMaxTokens: number
  readonly openaiBatchSize: number
  readonly openaiTimeoutMs: number
}

const openai = (settings: EmbedderSettings, clock: Clock): Embedder | undefined => {
  const { openaiUrl: baseUrl, openaiApiKey: apiKey, openaiModel: model, openaiDimension: dimension } = settings
  if (baseUrl === undefined && settings.embedder !== 'openai') return undefined
  if (baseUrl === undefined || model === undefined || dimension === undefined) {
    throw new AppError('invalid', 'CAIRN_OPENAI_URL, CAIRN_OPENAI_MODEL and CAIRN_OPENAI_DIMENSION must be set together')
  }
  return openaiEmbedder({
    baseUrl,
    model,
    dimension,
    maxTokens: settings.openaiMaxTokens,
    batchSize: settings.openaiBatchSize,
    timeoutMs: settings.openaiTimeoutMs,
    clock,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
}

/**
 * The embedders a process runs with. `lexical` is always there: it costs nothing, serves the namespaces that were filled with
 * it, and new ones while the local model can't be had.
 */
export const configuredEmbedders = (settings: EmbedderSettings, clock: Clock): Embedders => {
  const lexical = lexicalEmbedder()
  const remote = openai(settings, clock)
  if (settings.embedder === 'lexical') return embedders({ current: lexical, ...(remote ? { others: [remote] } : {}) })
  if (settings.embedder === 'openai' && remote) return embedders({ current: remote, others: [lexical] })
  const { modelDir, cacheDir, embedderWorkers: workers } = settings
  const local = localEmbedder({
    resolveModel: modelResolver({ ...(modelDir === undefined ? {} : { modelDir }), ...(cacheDir === undefined ? {} : { cacheDir }) }),
    clock,
    ...(workers === undefined ? {} : { workers }),
  })
  return embedders({ current: local, fallback: lexical, ...(remote ? { others: [remote] } : {}) })
}
