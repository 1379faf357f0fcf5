import { availableParallelism } from 'node:os'
import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedder, EmbedderStatus } from '@cairn/domain/ports/embedder'
import type { Answer, Kind, WorkerData } from './local/messages.ts'
import { disableTelemetry } from './local/open-model.ts'
import { WorkerPool } from './local/pool.ts'
import type { LocalModel } from './model/local-models.ts'
import type { Report } from './model/sources.ts'

export type LocalEmbedderOptions = {
  readonly model: LocalModel
  /** See `EmbeddingModel`. */
  readonly weights: string | undefined
  /** Fetches the model's folder if necessary. Called once, at creation. */
  readonly resolveModel: (report: Report, signal: AbortSignal) => Promise<string>
  readonly clock: Clock
  /** Threads, each with its own copy of the model (100 to 300 MB). Default: one per core, started as work waits. */
  readonly workers?: number | undefined
}

const maxWaiting = 10_000
const wayOut =
  'Set CAIRN_MODEL_DIR to a folder that holds the model, run `npm run model` where it can be fetched, or set CAIRN_EMBEDDER=openai or lexical'

/**
 * One ONNX session per worker thread, int8 weights. Resolves its model at creation, is `loading` until one thread has
 * loaded it, and stays `failed` when it can't be used. A text is embedded whole up to `maxTokens`; its vector does not
 * depend on other texts. Queries overtake waiting documents. A crashed thread's texts go to another; a text that
 * crashes three threads rejects its call with `internal`.
 */
export const localEmbedder = (options: LocalEmbedderOptions): Embedder => {
  const { name, dimension, maxTokens, relevantFrom, reads } = options.model
  const workers = options.workers ?? availableParallelism()
  const closing = new AbortController()
  let status: EmbedderStatus = { state: 'loading', detail: 'resolving the model' }
  let pool: WorkerPool | undefined

  const fail = (reason: string): void => {
    status = { state: 'failed', detail: `${name} can't be used: ${reason}. ${wayOut}` }
  }
  disableTelemetry()
  const load = async (): Promise<void> => {
    try {
      const modelDir = await options.resolveModel((now) => {
        if (status.state === 'loading') status = { state: 'loading', ...now }
      }, closing.signal)
      closing.signal.throwIfAborted()
      status = { state: 'loading', detail: 'loading the model into memory' }
      const { window, pooling, prefixes } = options.model
      const workerData: WorkerData = { modelDir, dimension, window, pooling, prefixes }
      pool = new WorkerPool({
        name: 'embedder',
        script: new URL('./local/worker.ts', import.meta.url),
        workerData,
        workers,
        maxWaiting,
        clock: options.clock,
        onFailed: fail,
      })
      await pool.start().catch((error: unknown) => {
        throw new Error(
          `the files in ${modelDir} can't be loaded: ${error instanceof Error ? error.message : String(error)}`,
        )
      })
      status = { state: 'ready' }
    } catch (error) {
      await pool?.close()
      fail(error instanceof Error ? error.message : String(error))
    }
  }
  const loaded = load()

  const run = async (kind: Kind, texts: readonly string[], signal?: AbortSignal): Promise<Answer[]> => {
    closing.signal.throwIfAborted()
    if (status.state === 'failed') throw new AppError('conflict', status.detail)
    if (status.state === 'loading' || pool === undefined)
      throw new AppError('unavailable', 'The embedding model is loading; retry in 5 seconds', { retryAfterSeconds: 5 })
    return pool.run(kind, texts, signal)
  }

  return {
    model: {
      provider: 'local',
      model: name,
      dimension,
      ...(options.weights === undefined ? {} : { weights: options.weights }),
    },
    maxTokens,
    ...(relevantFrom === undefined ? {} : { relevantFrom }),
    ...(reads && { reads }),
    concurrency: workers * 4,
    status: () => status,
    check: async () => status,
    settled: () => loaded,
    tokens: async (texts) => (await run('tokens', texts)) as Uint32Array[],
    embed: async (texts, { kind, signal }) => (await run(kind, texts, signal)) as Float32Array[],
    close: async () => {
      closing.abort(new AppError('unavailable', 'The embedder is closed'))
      await loaded
      await pool?.close()
    },
  }
}
