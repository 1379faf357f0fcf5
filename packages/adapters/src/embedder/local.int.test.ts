import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { configuredEmbedders } from './configured.ts'
import { localEmbedder } from './local.ts'
import { localModels, missingFiles, weightsId } from './model/local-models.ts'
import { modelsIn } from './model/resolve-model.ts'
import { embedderContract } from './port.contract.ts'

/** Model that this machine already has; tests never fetch a model. */
// biome-ignore lint/style/noProcessEnv: the operator's own settings
const { CAIRN_MODEL_DIR, CAIRN_CACHE_DIR: cacheDir } = process.env
const findModel = (): string | undefined => {
  if (CAIRN_MODEL_DIR) return CAIRN_MODEL_DIR
  const models = modelsIn(cacheDir || undefined)
  const names = existsSync(models) ? readdirSync(models).filter((name) => name.startsWith('all-MiniLM-L6-v2@')) : []
  return names
    .toSorted()
    .map((name) => join(models, name))
    .find((dir) => missingFiles(dir).length === 0)
}

const modelDir = findModel()
const clock = systemClock()
const model = localModels['all-MiniLM-L6-v2']
const identity = { model, weights: weightsId(model, model.files['onnx/model_quantized.onnx']) }
const open = (dir: string) => localEmbedder({ ...identity, resolveModel: async () => dir, clock, workers: 2 })

/**
 * Returns the share of a vector's numbers whose sign equals the reference's. The reference has one bit per number, in
 * base64.
 */
const agreement = (vector: Float32Array, reference: string): number => {
  const signs = Buffer.from(reference, 'base64')
  const agreeing = vector.filter(
    (value, index) => value > 0 === ((((signs[index >> 3] ?? 0) >> (index & 7)) & 1) === 1),
  )
  return agreeing.length / (signs.length * 8)
}

describe('local embedder without a model', () => {
  it('is loading while the model is fetched, and reports progress', async () => {
    const found = Promise.withResolvers<string>()
    const embedder = localEmbedder({
      ...identity,
      clock,
      resolveModel: (report) => {
        report({ detail: 'fetching', progress: 0.5 })
        return found.promise
      },
    })
    expect(embedder.status()).toEqual({ state: 'loading', detail: 'fetching', progress: 0.5 })
    await expect(embedder.embed(['x'], { kind: 'query' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The embedding model is loading; retry in 5 seconds',
      retryAfterSeconds: 5,
    })
    await expect(embedder.tokens(['x'])).rejects.toMatchObject({ code: 'unavailable' })
    found.reject(new Error('the cable is cut'))
    await embedder.settled()
    expect(embedder.status()).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/the cable is cut.*CAIRN_MODEL_DIR.*npm run model/),
    })
    await expect(embedder.embed(['x'], { kind: 'query' })).rejects.toMatchObject({ code: 'conflict' })
    await embedder.close()
  })

  it('has failed when the folder holds no model', async () => {
    const embedder = open(temporaryDirectory())
    await embedder.settled()
    expect(embedder.status()).toMatchObject({ state: 'failed', detail: expect.stringContaining('tokenizer.json') })
    await embedder.close()
  })

  it('stops looking for the model when it is closed', async () => {
    const embedder = localEmbedder({
      ...identity,
      clock,
      resolveModel: (_, signal) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    await embedder.close()
    await expect(embedder.embed(['x'], { kind: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

// biome-ignore lint/style/noProcessEnv: CI has the model and says so
const required = process.env.REQUIRE_MODEL === '1'
const reason = 'no model on this machine: `npm run model` gets it, CAIRN_MODEL_DIR points at one'

describe('local embedder with its model', () => {
  if (modelDir === undefined)
    return it('has its model', ({ skip }) => {
      if (required) throw new Error(reason)
      skip(reason)
    })
  const dir = modelDir
  embedderContract({ open: () => open(dir), lacks: {} })

  let embedder: Embedder
  beforeAll(async () => {
    embedder = open(dir)
    await embedder.settled()
  })
  afterAll(() => embedder.close())

  it('embeds as the original model does', async () => {
    const [vector] = await embedder.embed(['A namespaced data service stores text, vectors and files.'], {
      kind: 'document',
    })
    // Signs of the vector that the unquantized weights give, one bit per dimension.
    const signs = 'SJ852r9r4tubWi4U54RAQJ7athWPSO3MNQ9M6anyqBuwgsWbRdb+YMjHOd/5+ylK'
    expect(agreement(vector ?? new Float32Array(), signs)).toBeGreaterThan(0.9)
  })

  it('finds text with the same meaning in other words', async () => {
    const [query] = await embedder.embed(['how to make my program start faster'], { kind: 'query' })
    const texts = ['Lowering the launch time of an application', 'A recipe for apple pie', 'Faster shipping to my door']
    const vectors = await embedder.embed(texts, { kind: 'document' })
    const scores = vectors.map((vector) => vector.reduce((sum, value, d) => sum + value * (query?.[d] ?? 0), 0))
    expect(scores.indexOf(Math.max(...scores))).toBe(0)
  })

  it('serves a query before queued documents', async () => {
    let done = 0
    const documents = Array.from({ length: 30 }, (_, index) =>
      embedder.embed([`${'a sentence of some length, '.repeat(20)}${index}`], { kind: 'document' }).then(() => {
        done += 1
      }),
    )
    await embedder.embed(['a question'], { kind: 'query' })
    expect(done).toBeLessThan(10)
    await Promise.all(documents)
  })

  it('sends no telemetry', async () => {
    const home = temporaryDirectory()
    const program = `
      import { localEmbedder } from '${new URL('./local.ts', import.meta.url).href}'
      import { systemClock } from '${new URL('../clock/system.ts', import.meta.url).href}'
      const embedder = localEmbedder({ ...${JSON.stringify(identity)}, resolveModel: async () => ${JSON.stringify(dir)}, clock: systemClock(), workers: 1 })
      await embedder.settled()
      await embedder.embed(['private'], { kind: 'document' })
      await embedder.close()
      console.log(embedder.status().state)`
    // The environment excludes `CI`, because the runtime disables its telemetry in CI.
    const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env,
      cwd: import.meta.dirname,
    })
    expect(stdout.trim()).toBe('ready')
    expect(readdirSync(home)).toEqual([])
  })
})

/**
 * A query, a text of the same meaning, and other texts. The signs below are from ONNX Runtime and Hugging Face's
 * tokenizers.
 */
const english = {
  query: 'how to make my program start faster',
  same: 'Lowering the launch time of an application',
  others: ['A recipe for apple pie', 'Faster shipping to my door'],
}
const chinese = {
  query: '如何让我的程序启动得更快',
  same: '降低应用程序的启动时间',
  others: ['苹果派的食谱', '更快地送货上门'],
}

describe.for([
  [
    'bge-small-en-v1.5',
    english,
    {
      query: 'kr0LG73TA4e+4uC1i82NwWZgA1DwSD4BcCsRHq16Iypckz6PWJNidzv46btdK/Ht',
      same: 'tj3zAqcDAouVZ9kzir2t1sZGD7DIUhYdUjkReokSI2t8ezoNUJNnNFvxqJ18CfGr',
    },
  ],
  [
    'e5-small-v2',
    english,
    {
      query: 'ZmcaD6UEu7+rOljQGRyO060ECzncXZSBFisDH0ljg666awphSQ/mOjLs+Z/2CXmo',
      same: 'Zm8ajuU1/6+jOnmRGbWMxwVMCyncUZQBBmsAD0lig+66awtxRAsGOHLMOZ+2iXiq',
    },
  ],
  [
    'bge-small-zh-v1.5',
    chinese,
    {
      query: 'tiUQCYkPfYHF6U7s2tG+tWpS3yvAANbDcx8xI5ug96Np6GwFPV4VFkivz9PBRDN4fZZLttrgob0+QoCr9yyE/A==',
      same: 'jqXUC4mLdoXP8Wq95gH+JWsA3yukAFyPYRwV8mfsS6E/IDyANW0HRkHhjyLEDBea8feLtqLgIKtqMirj57yEqA==',
    },
  ],
] as const)('%s', ([name, texts, signs]) => {
  const further = localModels[name]
  const folder = join(
    modelsIn(cacheDir || undefined),
    `${name}@${further.files['onnx/model_quantized.onnx'].slice(0, 12)}`,
  )
  if (missingFiles(folder).length > 0) {
    it('needs its model', ({ skip }) =>
      skip(`not in the cache: \`CAIRN_LOCAL_MODEL=${name} npm run model\` fetches it`))
    return
  }
  const openFurther = () =>
    localEmbedder({ model: further, weights: undefined, resolveModel: async () => folder, clock, workers: 1 })
  // The pool is tested with one model only, because the other models are slower.
  const samePool = 'tested with all-MiniLM-L6-v2, whose pool is the same'
  embedderContract({ open: openFurther, lacks: { abort: samePool, concurrency: samePool } })

  it('embeds as the original model does, and finds text with the same meaning in other words', {
    timeout: 60_000,
  }, async () => {
    const other = openFurther()
    try {
      await other.settled()
      const [query = new Float32Array()] = await other.embed([texts.query], { kind: 'query' })
      const vectors = await other.embed([texts.same, ...texts.others], { kind: 'document' })
      const scores = vectors.map((vector) => vector.reduce((sum, value, d) => sum + value * (query[d] ?? 0), 0))
      expect(scores.indexOf(Math.max(...scores))).toBe(0)
      // The weights are the same, so only processors that add in a different order give different signs.
      expect(agreement(query, signs.query)).toBeGreaterThan(0.97)
      expect(agreement(vectors[0] ?? query, signs.same)).toBeGreaterThan(0.97)
    } finally {
      await other.close()
    }
  })

  it('has an identity of its own', () => {
    const settings = {
      embedder: 'local',
      openaiMaxTokens: 512,
      openaiBatchSize: 1,
      openaiTimeoutMs: 1_000,
      modelDir: folder,
    } as const
    expect(() => configuredEmbedders({ ...settings, localModel: 'all-MiniLM-L6-v2' }, clock)).toThrow(
      `CAIRN_MODEL_DIR holds ${name}, not all-MiniLM-L6-v2: set CAIRN_LOCAL_MODEL=${name}.`,
    )
  })
})
