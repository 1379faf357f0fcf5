import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedder, Embedders } from '@cairn/domain/ports/embedder'
import { lazyEmbedder } from './lazy.ts'
import { lexicalEmbedder } from './lexical.ts'
import { localEmbedder } from './local.ts'
import { type LocalModel, type LocalModelName, localModels, weightsId } from './model/local-models.ts'
import { modelResolver } from './model/resolve-model.ts'
import { openaiEmbedder } from './openai.ts'
import { embedders } from './registry.ts'

/** The runtime's embedder configuration describes each setting. */
export type EmbedderSettings = {
  readonly embedder: 'local' | 'openai' | 'lexical'
  readonly localModel: LocalModelName
  /** Local models beside `localModel` that namespaces may choose. */
  readonly localModels?: readonly LocalModelName[] | undefined
  readonly modelDir?: string | undefined
  readonly mavenUrl?: string | undefined
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
    throw new AppError(
      'invalid',
      'CAIRN_OPENAI_URL, CAIRN_OPENAI_MODEL and CAIRN_OPENAI_DIMENSION must be set together',
    )
  }
  return openaiEmbedder({
    baseUrl,
    model,
    dimension,
    maxTokens: settings.openaiMaxTokens,
    batchSize: settings.openaiBatchSize,
    timeoutMs: settings.openaiTimeoutMs,
    clock,
    apiKey,
  })
}

const weightsFile = 'onnx/model_quantized.onnx'

/** The embedder's identity must be known when the first namespace is created, before the embedder exists. */
const sha256OfWeights = (modelDir: string): string => {
  const file = join(modelDir, weightsFile)
  if (!existsSync(file)) return 'missing'
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** `lexical` always exists: it costs nothing, and serves new namespaces while the local model can't be used. */
export const configuredEmbedders = (settings: EmbedderSettings, clock: Clock): Embedders => {
  const lexical = lexicalEmbedder()
  const remote = openai(settings, clock)
  const { modelDir, cacheDir, mavenUrl, embedderWorkers: workers } = settings
  const sources = mavenUrl === undefined ? {} : { sources: { mavenUrl } }
  /** Takes memory only once a namespace uses it. */
  const further = (name: LocalModelName): Embedder => {
    const chosen: LocalModel = localModels[name]
    const weights = weightsId(chosen, chosen.files[weightsFile])
    return lazyEmbedder({ provider: 'local', model: name, dimension: chosen.dimension, weights }, chosen, () =>
      localEmbedder({
        model: chosen,
        weights,
        resolveModel: modelResolver({ model: chosen, cacheDir, ...sources }),
        clock,
        workers,
      }),
    )
  }
  const offered = [...new Set(settings.localModels ?? [])]
  if (settings.embedder !== 'local') {
    const choices = [lexical, ...(remote ? [remote] : []), ...offered.map(further)]
    return embedders({ current: (settings.embedder === 'openai' && remote) || lexical, choices })
  }
  const model: LocalModel = localModels[settings.localModel]
  const sha256 = modelDir === undefined ? model.files[weightsFile] : sha256OfWeights(modelDir)
  const held = Object.values(localModels).find(({ files }) => files[weightsFile] === sha256)
  if (held && held !== model)
    throw new AppError(
      'invalid',
      `CAIRN_MODEL_DIR holds ${held.name}, not ${model.name}: set CAIRN_LOCAL_MODEL=${held.name}.`,
    )
  const { reads: _, ...unknownFile } = model
  const local = localEmbedder({
    // A model that is not in the catalogue may read other scripts.
    model: held ?? unknownFile,
    weights: weightsId(model, sha256),
    resolveModel: modelResolver({ model, modelDir, cacheDir, ...sources }),
    clock,
    workers,
  })
  return embedders({
    current: local,
    fallback: lexical,
    choices: [...(remote ? [remote] : []), ...offered.filter((name) => name !== model.name).map(further)],
  })
}
