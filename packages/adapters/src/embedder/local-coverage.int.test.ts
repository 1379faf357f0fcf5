import { join } from 'node:path'
import { scripts } from '@cairn/contracts/text/scripts'
import { measureCoverage, measureLanguage } from '@cairn/domain/text/coverage/measure-coverage'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { localEmbedder } from './local.ts'
import { type LocalModel, localModels, missingFiles } from './model/local-models.ts'
import { modelsIn } from './model/resolve-model.ts'

// biome-ignore lint/style/noProcessEnv: the operator's own settings
const { CAIRN_CACHE_DIR: cacheDir } = process.env

const measuredModels = Object.values<LocalModel>(localModels).filter(({ reads }) => reads)

describe.for(measuredModels)('language coverage of $name', (model) => {
  const weights = model.files['onnx/model_quantized.onnx']
  const folder = join(modelsIn(cacheDir || undefined), `${model.name}@${weights.slice(0, 12)}`)

  it('matches the catalogue', { timeout: 60_000 }, async ({ skip }) => {
    if (missingFiles(folder).length > 0)
      skip(`not in the cache: \`CAIRN_LOCAL_MODEL=${model.name} npm run model\` fetches it`)
    const embedder = localEmbedder({
      ...{ model, weights: undefined, workers: 1 },
      resolveModel: async () => folder,
      clock: systemClock(),
    })
    try {
      await embedder.settled()
      const measured = await measureCoverage((language) => measureLanguage(embedder, language))
      // Processors that add in a different order can swap two nearly equal cosines, which changes a result by up to 0.17.
      for (const script of scripts) {
        const difference = (measured[script] ?? 0) - (model.reads?.[script] ?? 0)
        expect(Math.abs(difference), JSON.stringify(measured)).toBeLessThan(0.2)
      }
    } finally {
      await embedder.close()
    }
  })
})

it('lets a model split Chinese into single characters', () => {
  expect(localModels['bge-small-zh-v1.5'].reads.Han).toBe(1)
})
