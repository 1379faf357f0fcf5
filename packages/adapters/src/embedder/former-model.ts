import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'
import { lazyEmbedder } from './lazy.ts'
import { localEmbedder } from './local.ts'
import { localModels, missingFiles } from './model/local-models.ts'
import { modelsIn } from './model/resolve-model.ts'

const model = localModels['all-MiniLM-L6-v2']

/** Model identity that version 0.1 recorded in namespaces. */
export const formerModel: EmbeddingModel = { provider: 'local', model: model.name, dimension: model.dimension }

/** Model folders of 0.1.0, in the order it tried them: fetched from the hub, then converted by 0.1.0 itself. */
const formerFolders = ['751bff37182d3f1213fa05d7196b954e230abad9', 'converted-1'].map(
  (revision) => `${model.name}@${revision}`,
)

/** SHA-256 of the weights that 0.1.0's converter wrote. */
export const formerSha256 = 'dc0138511ab75026792caf1c1b49a1563cbd186882af737bbf723f1817bc85f5'

/**
 * Returns the folder of 0.1.0's model file: `formerModelDir` if set, otherwise a folder of the cache; undefined if the
 * cache does not have the file.
 */
export const formerModelDir = (settings: {
  readonly formerModelDir?: string | undefined
  readonly cacheDir?: string | undefined
}): string | undefined => {
  if (settings.formerModelDir !== undefined) return settings.formerModelDir
  const models = modelsIn(settings.cacheDir)
  return formerFolders
    .map((name) => join(models, name))
    .find((dir) => existsSync(dir) && missingFiles(dir).length === 0)
}

/** Creates the embedder for namespaces of 0.1, whose records name no weights. */
export const formerEmbedder = (
  modelDir: string,
  { clock, workers }: { readonly clock: Clock; readonly workers?: number | undefined },
): Embedder =>
  lazyEmbedder(formerModel, model, () =>
    localEmbedder({
      model,
      weights: undefined,
      resolveModel: async () => modelDir,
      clock,
      workers,
    }),
  )
